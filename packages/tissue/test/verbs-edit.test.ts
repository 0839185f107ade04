import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { issue as issueSchema } from '../src/schema/schemas.ts'
import { logOf, recordsIn, repoWithIssues } from './fixture.ts'
import { json, tissue } from './tissue.ts'

const k3vd = 'auth-k3vd7rm2w9ht'
const x9qa = 'auth-x9qa4c81n0fz'
const m5t0 = 'auth-m5t0j6y3e8bp'
const dayMs = 86_400_000

/** The events that this call added to the log. */
function added(root: string, ...args: string[]) {
  const before = recordsIn(root).length
  const { code, stdout, stderr } = tissue(root, args)
  return { code, stdout, stderr, events: recordsIn(root).slice(before) }
}

describe('tissue edit', () => {
  it('changes only what differs, in one line', () => {
    const root = repoWithIssues()
    const args = ['edit', 'k3vd', '--title', 'Fix the login', '--priority', '1', '--add-tag', 'sso', '-b', '- x']
    const { events, ...end } = added(root, ...args, '--rm-tag', 'none')
    expect(end).toEqual({ code: 0, stdout: `${k3vd}\n`, stderr: '' })
    expect(events).toMatchObject([
      {
        type: 'batch',
        events: [
          { type: 'edited', issue: k3vd, title: 'Fix the login', body: '- x' },
          { type: 'tagged', tag: 'sso' },
        ],
      },
    ])
    expect(Object.keys(Object(events[0]?.['events'])[0])).not.toContain('priority')
    expect(added(root, ...args).events).toEqual([])
    expect(added(root, 'edit', 'k3vd', '--rm-tag', 'sso').events).toMatchObject([{ type: 'untagged', tag: 'sso' }])
  })

  it('sets every field, and takes away what can be absent', () => {
    const root = repoWithIssues()
    const set = json(
      root,
      ...['edit', 'k3vd', '--type', 'bug', '--assignee', 'bob', '--accept', 'It holds.', '--due', '2026-12-01'],
      ...['--defer', '2d', '--estimate', '90m', '--parent', 'x9qa', '--add-ref', 'gh-1', '--add-ref', 'a,b c'],
      ...['--meta', 'area=auth', '--meta', 'note=a=b', '--meta', '__proto__=x'],
    )
    issueSchema.parse(set)
    expect(set).toMatchObject({
      issue_type: 'bug',
      assignee: 'bob',
      acceptance: 'It holds.',
      due_at: Date.parse('2026-12-01T00:00:00Z'),
      estimate_ms: 5_400_000,
      refs: ['a,b c', 'gh-1'],
    })
    expect(Object.entries(set.meta)).toEqual([
      ['__proto__', 'x'],
      ['area', 'auth'],
      ['note', 'a=b'],
    ])
    expect(Math.abs(set.defer_until - Date.now() - 2 * dayMs)).toBeLessThan(dayMs)
    expect(set.deps).toContainEqual({ kind: 'parent', from: x9qa, to: k3vd })
    const bare = json(
      root,
      ...['edit', 'k3vd', '--type', 'task', '--assignee', 'none', '--accept', 'none', '--due', 'none'],
      ...['--defer', 'none', '--estimate', 'none', '--parent', 'none', '--rm-ref', 'gh-1', '--rm-ref', 'a,b c'],
      ...['--meta', 'area=', '--meta', 'note=', '--meta', '__proto__='],
    )
    expect(bare).toMatchObject({ issue_type: 'task', assignee: null })
    for (const name of ['acceptance', 'due_at', 'defer_until', 'estimate_ms', 'refs', 'meta'])
      expect(bare).not.toHaveProperty(name)
    expect(bare.deps).not.toContainEqual({ kind: 'parent', from: x9qa, to: k3vd })
    expect(added(root, 'edit', 'k3vd', '--assignee', 'none', '--type', 'task', '--meta', 'area=').events).toEqual([])
  })

  it('has one parent at a time, and never itself above itself', () => {
    const root = repoWithIssues()
    tissue(root, ['edit', 'k3vd', '--parent', 'x9qa'])
    const { deps } = json(root, 'edit', 'k3vd', '--parent', 'm5t0')
    expect(deps.filter(({ kind }: { kind: string }) => kind === 'parent')).toEqual([
      { kind: 'parent', from: m5t0, to: k3vd },
    ])
    expect(added(root, 'edit', 'm5t0', '--parent', 'k3vd')).toMatchObject({ code: 5, events: [] })
    expect(added(root, 'edit', 'm5t0', '--parent', 'm5t0')).toMatchObject({ code: 2, events: [] })
    expect(added(root, 'edit', 'm5t0', '--parent', 'nobody')).toMatchObject({ code: 3, events: [] })
  })

  it('puts text behind the body, on a line of its own', () => {
    const root = repoWithIssues()
    const { id } = json(root, 'new', 'Log')
    tissue(root, ['edit', id, '--append', 'one'])
    tissue(root, ['edit', id, '--append', '- two\n'])
    tissue(root, ['edit', id, '--append', '-'], 'three\r\n')
    expect(json(root, 'show', id).body).toBe('one\n- two\nthree\r\n')
  })

  it('takes the body from stdin or a file', () => {
    const root = repoWithIssues()
    expect(tissue(root, ['edit', 'k3vd', '-'], 'from stdin').code).toBe(0)
    expect(json(root, 'show', 'k3vd').body).toBe('from stdin')
    writeFileSync(join(root, 'body.md'), 'from a file')
    expect(json(root, 'edit', 'k3vd', '-F', 'body.md').body).toBe('from a file')
    expect(tissue(root, ['edit', 'k3vd', '-F', 'none']).code).toBe(3)
  })

  it('with --if-rev changes only what the writer has seen', () => {
    const root = repoWithIssues()
    const { rev } = json(root, 'show', 'k3vd')
    const next = json(root, 'edit', 'k3vd', '--if-rev', rev, '--title', 'First')
    expect(added(root, 'edit', 'k3vd', '--if-rev', rev, '--title', 'Second')).toEqual({
      code: 5,
      stdout: '',
      stderr: `tissue: expected ${k3vd} to be at ${rev}, it is at ${next.rev}; look again with tissue show and decide anew\n`,
      events: [],
    })
    expect(tissue(root, ['edit', 'k3vd', '--if-rev', next.rev, '--title', 'Second']).code).toBe(0)
  })

  it('makes the same change to several issues, or to none', () => {
    const root = repoWithIssues()
    const { events, code, stdout } = added(root, 'edit', 'k3vd', 'x9qa', 'k3vd', '-p', '4', '-t', 'auth')
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${k3vd}\n${x9qa}\n` })
    expect(events).toHaveLength(1)
    expect(json(root, 'edit', 'k3vd', 'x9qa', '-p', '4').map(({ priority }: { priority: number }) => priority)).toEqual(
      [4, 4],
    )
    expect(added(root, 'edit', 'k3vd', 'nobody', '-p', '5')).toMatchObject({ code: 3, stdout: '', events: [] })
    for (const own of [['--title', 'x'], ['-b', 'x'], ['--if-rev', 'x'], ['-']])
      expect(added(root, 'edit', 'k3vd', 'x9qa', ...own)).toMatchObject({ code: 2, events: [] })
  })

  it('is allowed to others than the holder, and refuses what is no value', () => {
    const root = repoWithIssues()
    tissue(root, ['claim', 'k3vd', '--as', 'bob'])
    expect(json(root, 'edit', 'k3vd', '--append', 'by ada').claim.by).toBe('bob')
    const before = readFileSync(logOf(root), 'utf8')
    for (const args of [
      ['--title', ''],
      ['--title', 'two\nlines'],
      ['--add-tag', ''],
      ['--rm-tag', ' '],
      ['--add-tag', 'two\nlines'],
      ['--assignee', 'a\r\nb'],
      ['--meta', 'a\nb=c'],
      ['--add-ref', ''],
      ['--type', 'Big Bug'],
      ['--assignee', ''],
      ['--due', 'tomorrow'],
      ['--defer', '2026-02-31'],
      ['--estimate', 'long'],
      ['--meta', 'x'],
      ['--meta', '=x'],
      ['--append', 'x', '-b', 'y'],
      ['-p', '6'],
    ])
      expect(tissue(root, ['edit', 'k3vd', ...args]).code, args.join(' ')).toBe(2)
    expect(tissue(root, ['edit']).code).toBe(2)
    expect(tissue(root, ['edit', 'k3vd'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'tissue: expected something to change, got nothing; see tissue edit --help\n',
    })
    expect(readFileSync(logOf(root), 'utf8')).toBe(before)
  })
})

describe('tissue tag', () => {
  it('adds and removes tags as they are, with commas and spaces', () => {
    const root = repoWithIssues()
    expect(added(root, 'tag', 'add', 'm5t0', 'a,b', 'ä 🎉', 'a,b', '--', '-x')).toMatchObject({
      code: 0,
      stdout: `${m5t0}\n`,
      events: [{ type: 'batch', events: ['a,b', 'ä 🎉', '-x'].map((tag) => ({ type: 'tagged', tag })) }],
    })
    expect(added(root, 'tag', 'add', 'm5t0', 'a,b').events).toEqual([])
    expect(json(root, 'show', 'm5t0').tags).toEqual(expect.arrayContaining(['-x', 'a,b', 'ä 🎉']))
    expect(added(root, 'tag', 'rm', 'm5t0', 'a,b', 'gone').events).toMatchObject([{ type: 'untagged', tag: 'a,b' }])
    expect(tissue(root, ['tag', 'add', 'm5t0']).code).toBe(2)
    expect(tissue(root, ['tag', 'rm', 'm5t0', '']).code).toBe(2)
    expect(tissue(root, ['tag', 'add', 'nobody', 'x']).code).toBe(3)
  })

  it('lists all tags with their counts', () => {
    const root = repoWithIssues()
    tissue(root, ['tag', 'add', 'k3vd', 'a,b', 'x y'])
    tissue(root, ['tag', 'add', 'm5t0', 'a,b', 'over'])
    const counts = ['stats', '--by', 'tag']
    expect(json(root, ...counts).groups).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ value: 'a,b', open: 1, total: 2 }),
        expect.objectContaining({ value: 'over', open: 0, total: 1 }),
        expect.objectContaining({ value: 'x y', open: 1, total: 1 }),
      ]),
    )
    expect(tissue(root, counts).stdout).toMatch(/^ {2}x y +1 issue: 1 open, 0 over/m)
    expect(tissue(root, [...counts, '--quiet']).stdout.split('\n')).toContain('a,b')
    expect(tissue(root, [...counts, '--quiet', '--store', 'none/.tissue'])).toEqual({ code: 0, stdout: '', stderr: '' })
  })
})
