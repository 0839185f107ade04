import { cellsOf } from '@switchyard/cli-kit/cells'
import { cellsOfLine, textOfLine } from '@switchyard/cli-kit/terminal/styled'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Column } from '../src/board/columns.ts'
import { type Board, chosenIssue, newBoard, paste, press, refresh, type Step } from '../src/board/model.ts'
import { renderBoard, roomOn } from '../src/board/render.ts'
import type { Issue } from '../src/schema/schemas.ts'

const now = Date.UTC(2026, 0, 1)
const size = { columns: 80, rows: 10 }

function issue(name: string, more: Partial<Issue> = {}): Issue {
  return {
    v: 1,
    id: `x-${name}`,
    short: `x-${name}`,
    title: `Title ${name}`,
    body: '',
    status: 'open',
    priority: 2,
    tags: [],
    issue_type: 'task',
    assignee: null,
    created_at: now,
    created_by: 'ada',
    updated_at: now,
    rev: '',
    claim: null,
    blocked_by: [],
    blocks: [],
    deps: [],
    ...more,
  }
}

function boardOf(...columns: readonly (readonly Issue[])[]): Board {
  const titles = ['Ready', 'Blocked', 'In progress', 'Paused', 'Closed']
  return newBoard(
    titles.map((title, index): Column => ({ title, issues: columns[index] ?? [] })),
    now,
  )
}

const three = () => boardOf([issue('aaaa'), issue('bbbb'), issue('cccc')], [issue('dddd')])

/** The board after some keys, and what the last one asked for. */
function pressed(board: Board, ...keys: readonly string[]): Step {
  return keys.reduce<Step>((step, key) => press(step.board, key, roomOn(step.board, size)), { board })
}

const chosenAfter = (board: Board, ...keys: readonly string[]) => chosenIssue(pressed(board, ...keys).board)?.id

describe('a key on the board', () => {
  it('moves by arrows and letters, and stays within', () => {
    expect(chosenAfter(three())).toBe('x-aaaa')
    expect(chosenAfter(three(), 'j', 'down')).toBe('x-cccc')
    expect(chosenAfter(three(), 'G', 'j', 'k')).toBe('x-bbbb')
    expect(chosenAfter(three(), 'page-down', 'g', 'up')).toBe('x-aaaa')
    expect(chosenAfter(three(), 'l')).toBe('x-dddd')
    expect(chosenAfter(three(), 'right', 'left', 'h')).toBe('x-aaaa')
    expect(chosenAfter(three(), 'tab', 'shift-tab', 'shift-tab')).toBeUndefined()
  })

  it('acts on the chosen issue, and on the one that is open', () => {
    expect(pressed(three(), 'j', 'c').act).toEqual({ is: 'claim', id: 'x-bbbb' })
    expect(pressed(three(), 'r').act).toEqual({ is: 'release', id: 'x-aaaa' })
    expect(pressed(three(), 'o').act).toEqual({ is: 'open', id: 'x-aaaa' })
    expect(pressed(three(), 'j', 'enter', 'c').act).toEqual({ is: 'claim', id: 'x-bbbb' })
    expect(pressed(boardOf(), 'c').act).toBeUndefined()
  })

  it('closes only after a reason was asked for', () => {
    expect(pressed(three(), 'x').act).toBeUndefined()
    expect(pressed(three(), 'x', ...'q c', 'enter').act).toEqual({ is: 'close', id: 'x-aaaa', reason: 'q c' })
    expect(pressed(three(), 'x', ...'one two', 'ctrl-w', 'backspace', 'enter').act).toMatchObject({ reason: 'one' })
    expect(pressed(three(), 'x', 'ctrl-u', 'enter').act).toMatchObject({ reason: '' })
    expect(pressed(three(), 'x', 'y', 'escape')).toEqual({ board: three() })
  })

  it('closes the issue that was chosen when the question was asked', () => {
    const asked = pressed(three(), 'x', 'y').board
    const changed = refresh(asked, boardOf([issue('zzzz')]).columns, now)
    expect(pressed(changed, 'enter').act).toEqual({ is: 'close', id: 'x-aaaa', reason: 'y' })
  })

  it('quits by q and Ctrl-C, and not by a q in a line', () => {
    expect(pressed(three(), 'q').act).toEqual({ is: 'quit' })
    expect(pressed(three(), 'x', 'ctrl-c').act).toEqual({ is: 'quit' })
    expect(pressed(three(), '/', 'q').act).toBeUndefined()
    expect(pressed(three(), 'enter', 'q')).toEqual({ board: three() })
    expect(pressed(three(), '?', 'q')).toEqual({ board: three() })
  })

  it('narrows the columns to what has all words', () => {
    expect(chosenAfter(three(), '/', ...'title BBB', 'enter')).toBe('x-bbbb')
    expect(chosenAfter(three(), '/', ...'bbb', 'escape')).toBe('x-aaaa')
    expect(chosenAfter(three(), '/', ...'bbb', 'enter', 'escape', 'G')).toBe('x-cccc')
    expect(chosenAfter(three(), '/', ...'none', 'enter')).toBeUndefined()
  })

  it('is no key when it was pasted', () => {
    expect(paste(three(), 'xcq')).toEqual(three())
    expect(paste(pressed(three(), '/').board, 'b\nb').filter).toBe('b b')
    expect(pressed(paste(pressed(three(), 'x').board, 'so\nthat'), 'enter').act).toMatchObject({ reason: 'so that' })
  })

  it('scrolls an issue no further than it goes', () => {
    const board = boardOf([issue('aaaa', { body: 'line\n'.repeat(30) })])
    const end = pressed(board, 'enter', 'G').board
    expect(pressed(end, 'j').board.mode).toEqual(end.mode)
    expect(pressed(end, 'k').board.mode).not.toEqual(end.mode)
    expect(pressed(end, 'g').board.mode).toMatchObject({ scroll: 0 })
  })
})

describe('news of the log', () => {
  it('leave the same issue chosen', () => {
    const board = pressed(three(), 'j').board
    const more = refresh(board, boardOf([issue('0000'), issue('aaaa'), issue('bbbb')]).columns, now)
    expect(chosenIssue(more)?.id).toBe('x-bbbb')
  })

  it('leave the same place chosen when the issue has gone', () => {
    const board = pressed(three(), 'j').board
    expect(chosenIssue(refresh(board, boardOf([issue('aaaa'), issue('cccc')]).columns, now))?.id).toBe('x-cccc')
    expect(chosenIssue(refresh(board, boardOf([issue('aaaa')]).columns, now))?.id).toBe('x-aaaa')
    expect(chosenIssue(refresh(board, boardOf([]).columns, now))).toBeUndefined()
  })
})

const anyTitle = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('漢字'.repeat(40), '👩‍👩‍👧', '\u001b[2J', 'a\nb\tc'),
)
const anyIssue = fc
  .record({
    title: anyTitle,
    body: anyTitle,
    name: fc.string({ minLength: 1, maxLength: 30 }),
    priority: fc.nat(5),
    lease: fc.option(fc.integer()),
  })
  .map(({ title, body, name, priority, lease }) => {
    const claim = lease === null ? null : { id: 'c', by: title, since: now, until: now + lease }
    return issue(name, { title, body, priority, claim })
  })
const anyColumns = fc.array(fc.array(anyIssue, { maxLength: 6 }), { minLength: 5, maxLength: 5 })
const anyKey = fc.oneof(
  fc.constantFrom(
    'j',
    'k',
    'h',
    'l',
    'g',
    'G',
    ' ',
    'enter',
    'escape',
    '/',
    '?',
    'x',
    'c',
    'tab',
    'page-down',
    'backspace',
    'ctrl-u',
    'ctrl-w',
    'up',
    'q',
  ),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
)

describe('the board on a screen of any size', () => {
  it('is as large as the screen, whatever was typed and whatever the issues hold', () => {
    const anySize = fc.record({ columns: fc.integer({ min: 0, max: 200 }), rows: fc.integer({ min: 0, max: 30 }) })
    fc.assert(
      fc.property(
        anyColumns,
        anyColumns,
        fc.array(anyKey, { maxLength: 20 }),
        anySize,
        (columns, others, keys, room) => {
          let board = boardOf(...columns)
          for (const [place, key] of keys.entries()) {
            board = press(board, key, roomOn(board, room)).board
            if (place === 10) board = refresh(board, boardOf(...others).columns, now)
            const lines = renderBoard(board, room)
            expect(lines).toHaveLength(room.columns === 0 ? 0 : room.rows)
            for (const line of lines) {
              expect(cellsOfLine(line)).toBe(room.columns)
              expect(textOfLine(line)).not.toMatch(/[\0-\u001f\u007f-\u009f]/)
            }
          }
        },
      ),
    )
  })

  it('shows columns side by side, and the chosen one without colour', () => {
    const lines = renderBoard(three(), { columns: 140, rows: 5 }).map(textOfLine)
    expect(lines[0]).toMatch(/^> Ready 3 +Blocked 1 +In progress 0 +Paused 0 +Closed 0 +$/)
    expect(lines[1]).toMatch(/^> aaaa P2 Title aaaa +dddd P2 Title dddd/)
    expect(lines[2]).toMatch(/^ {2}bbbb P2 Title bbbb/)
  })

  it('shows at least the chosen issue where there is hardly room', () => {
    const board = pressed(three(), 'j').board
    expect(renderBoard(board, { columns: 12, rows: 1 }).map(textOfLine)).toEqual(['> bbbb P2 T…'])
    expect(renderBoard(board, { columns: 3, rows: 1 }).map(textOfLine)).toEqual(['> …'])
    expect(renderBoard(pressed(board, 'l').board, { columns: 20, rows: 3 }).map(textOfLine)[0]).toMatch(/^> Blocked 1/)
  })

  it.each([
    [25, /Title aaaa +bob 25m /],
    [300, /Title aaaa +bob 5h /],
    [5000, /Title aaaa +bob 3d /],
    [-1, /Title aaaa +bob expired /],
  ])('shows of a lease of %i minutes what is left', (minutes, shown) => {
    const claim = { id: 'c', by: 'bob', since: now, until: now + minutes * 60_000 }
    const lines = renderBoard(boardOf([issue('aaaa', { claim })]), { columns: 220, rows: 3 })
    expect(textOfLine(lines[1] ?? [])).toMatch(shown)
  })

  it('shows behind a title what there is room for, the most important first', () => {
    const late = issue('aaaa', {
      due_at: now - 1,
      blocked_by: ['x-b', 'x-c'],
      progress: { done: 3, total: 7, ready: 1 },
    })
    const deferred = issue('bbbb', { defer_until: now + 3 * 86_400_000, created_at: now - 7_200_000 })
    const shown = (columns: number) =>
      renderBoard(boardOf([late, deferred]), { columns, rows: 4 }).map((line) => textOfLine(line).slice(0, columns / 5))
    expect(shown(300).slice(0, 3)).toEqual([
      expect.stringMatching(/^> Ready 2/),
      expect.stringMatching(/^> aaaa P2 Title aaaa +overdue waits 2 3\/7 0s $/),
      expect.stringMatching(/^ {2}bbbb P2 Title bbbb +in 3d 2h $/),
    ])
    expect(shown(140)[1]).toMatch(/^> aaaa P2 Title aa… overdue/)
  })

  it('counts what stands in columns for which there is no room, and keeps the help in sight', () => {
    const board = boardOf([issue('aaaa')], [], [], [], [issue('bbbb')])
    expect(textOfLine(renderBoard(board, { columns: 80, rows: 4 }).at(-1) ?? [])).toMatch(/^\? help .* Closed 1$/)
    expect(textOfLine(renderBoard(board, { columns: 20, rows: 4 }).at(-1) ?? [])).toMatch(/^\? help {2}q quit +$/)
  })

  it('says how the first issue is made', () => {
    expect(renderBoard(boardOf(), { columns: 80, rows: 5 }).map(textOfLine).join('\n')).toContain('tissue new "TITLE"')
  })

  it('keeps the end of what is being written in sight', () => {
    const { board } = pressed(three(), 'x', ...'a long reason that does not fit')
    const foot = textOfLine(renderBoard(board, { columns: 30, rows: 4 }).at(-1) ?? [])
    expect(foot).toContain('not fit')
    expect(cellsOf(foot)).toBe(30)
  })
})
