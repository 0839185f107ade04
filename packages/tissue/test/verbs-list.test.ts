import { describe, expect, it } from 'vitest'
import { columnsOf } from '../src/render/columns.ts'
import { eventMaker, folderWith } from './log.ts'
import { json, tissue } from './tissue.ts'

const dayMs = 86_400_000
const now = Date.now()

type Fields = { title?: string; priority?: number; tags?: string[]; at?: number; by?: string } & Record<string, unknown>

const event = eventMaker(now)

function created(issue: string, fields: Fields): string {
  return event({ type: 'created', issue, title: issue, body: '', priority: 2, tags: [], ...fields })
}

/** Login (bug, P1, of bob) blocks notes; epic has notes and, below it, print; old is closed, late is overdue. */
function sample(): string {
  return folderWith(
    created('app-log0', { title: 'Fix login', priority: 1, tags: ['auth', 'sso'], issue_type: 'bug', assignee: 'bob' }),
    created('app-not0', { title: 'Write notes', at: now - 9 * dayMs, body: 'The Token', meta: { area: 'docs' } }),
    created('app-epi0', { title: 'epic', issue_type: 'epic', estimate_ms: 7_200_000, refs: ['gh-12'] }),
    created('app-pri0', { title: 'Print', priority: 3, tags: ['docs'], at: now - 3 * dayMs }),
    created('app-old0', { title: 'Old', at: now - 40 * dayMs, by: 'eve' }),
    created('app-lat0', { title: 'Late', priority: 5, due_at: now - 1000, defer_until: now + dayMs, at: now - dayMs }),
    event({ type: 'linked', issue: 'app-log0', kind: 'blocks', target: 'app-not0' }),
    event({ type: 'linked', issue: 'app-epi0', kind: 'parent', target: 'app-not0', at: now - 8 * dayMs }),
    event({ type: 'linked', issue: 'app-not0', kind: 'parent', target: 'app-pri0', at: now - 3 * dayMs }),
    event({ type: 'closed', issue: 'app-old0', reason: 'done', at: now - 5 * dayMs }),
    event({ type: 'claimed', issue: 'app-epi0', until: now + dayMs, expect: null, by: 'ada' }),
    event({ type: 'commented', issue: 'app-pri0', body: 'see the token', at: now - 3 * dayMs }),
  )
}

describe('tissue list', () => {
  const root = sample()
  const ids = (...args: string[]) => {
    const { code, stdout, stderr } = tissue(root, ['list', '--quiet', ...args])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return stdout
      .trim()
      .split('\n')
      .join(' ')
      .replace(/app-(...)0/g, '$1')
  }

  it.each([
    [[], 'log not epi pri lat'],
    [['--all'], 'log not epi old pri lat'],
    [['--status', 'closed', '--status', 'in_progress'], 'epi old'],
    [['--tag', 'auth', '-t', 'sso'], 'log'],
    [['--type', 'bug', '--type', 'epic'], 'log epi'],
    [['--assignee', 'bob'], 'log'],
    [['--mine'], 'epi'],
    [['--mine', '--as', 'bob'], 'log'],
    [['--unassigned', '-p', '<=2'], 'not epi'],
    [['--priority', '1'], 'log'],
    [['-p', '2-3'], 'not epi pri'],
    [['--parent', 'epi'], 'not pri'],
    [['--since', '2d'], 'log epi lat'],
    [['--since', '2001-01-01'], 'log not epi pri lat'],
    [['--updated', '4d'], 'log not epi pri lat'],
    [['--closed', '6d'], 'old'],
    [['--closed', '4d'], ''],
    [['--search', 'TOKEN'], 'not pri'],
    [['--sort', 'title'], 'epi log lat pri not'],
    [['--sort', 'created'], 'log epi lat pri not'],
    [['--sort', 'updated', '-r'], 'pri not lat epi log'],
    [['--sort', 'due'], 'lat log not epi pri'],
    [['--reverse', '--limit', '5'], 'lat pri epi not log'],
  ])('%j', (args, found) => {
    expect(ids(...args)).toBe(found)
  })

  it.each([
    ['priority<=1 AND tag:auth', 'log'],
    ['tag:auth,docs', 'log pri'],
    ['tag!=auth type:task', 'not pri lat'],
    ['tag:none', 'not epi lat'],
    ['tag~AU', 'log'],
    ['ready', 'log'],
    ['blocked', 'not pri'],
    ['held', 'epi'],
    ['overdue', 'lat'],
    ['conflict', ''],
    ['NOT (blocked OR held) -priority', 'refused'],
    ['holder:me or assignee:bob', 'log epi'],
    ['holder!=none', 'epi'],
    ['by:eve', ''],
    ['by:eve status:closed', 'old'],
    ['closed<6d', 'old'],
    ['closed>6d', ''],
    ['created>8d', 'not'],
    ['updated<2d', 'log epi lat'],
    ['updated>=2d', 'not pri'],
    ['created<2001-01-01', ''],
    ['created>2001-01-01 created<2d', 'log epi lat'],
    ['due<1h', 'lat'],
    ['defer>12h', 'lat'],
    ['defer:none', 'log not epi pri'],
    ['estimate>=2h', 'epi'],
    ['estimate:none priority:2', 'not'],
    ['ref:gh-12', 'epi'],
    ['meta.area:docs', 'not'],
    ['meta.area:none tag:auth', 'log'],
    ['title:log', 'log'],
    ['title="fix LOGIN"', 'log'],
    ['title=fix', ''],
    ['body:token', 'not'],
    ['text:token', 'not pri'],
    ['parent:epi', 'not pri'],
    ['parent:none', 'log epi lat'],
    ['id:app-log0,lat', 'log'],
  ])('--query %s', (query, found) => {
    if (found !== 'refused') expect(ids('--query', query)).toBe(found)
    else expect(tissue(root, ['list', '--query', query]).code).toBe(2)
  })

  it('shows rows, what it searched for in vain, and how many more there are', () => {
    expect(tissue(root, ['list', '--limit', '3'])).toEqual({
      code: 0,
      stdout: [
        'app-log0  P1  bug  open  Fix login  [auth, sso]  for bob',
        'app-not0  P2  open  Write notes  blocked by 1',
        'app-epi0  P2  epic  in_progress  epic  @ada',
        '',
      ].join('\n'),
      stderr: '3 of 5 shown; --limit shows more\n',
    })
    expect(tissue(root, ['list', '--tag', 'x y', '-p', '<2'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'no issue fits: priority<2 AND tag="x y"\n',
    })
  })

  it('gives only the fields that were asked for', () => {
    const fields = ['--tag', 'auth', '--fields', 'id,tags,assignee,created_at,meta,title']
    const row = ['app-log0', 'auth,sso', 'bob', new Date(now).toISOString(), '', 'Fix login']
    expect(tissue(root, ['list', ...fields]).stdout).toBe(`${row.join('\t')}\n`)
    expect(json(root, 'list', ...fields)).toEqual([
      { id: 'app-log0', tags: ['auth', 'sso'], assignee: 'bob', created_at: now, meta: null, title: 'Fix login' },
    ])
    expect(tissue(root, ['list', '--fields', 'id,titel'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'tissue: expected --fields to name fields of an issue, got "titel"; did you mean title?\n',
    })
  })

  it.each([
    [['--query', 'prio<2'], 'expected a field at character 1 of the query, got "prio<2"; did you mean priority?'],
    [['--query', ''], 'expected a field such as status, or a condition such as blocked at character 1 of the query'],
    [['-p', '7'], `expected --priority to be such as 1, 1-3 or '<=2', got "7"`],
    [['--since', 'soon'], '--since takes a time ago such as 10m, 2h or 1d, or a date such as 2026-11-21; got "soon"'],
    [['--status', 'done'], 'expected a status, got "done"'],
  ])('refuses %j', (args, fault) => {
    const { code, stdout, stderr } = tissue(root, ['list', ...args])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^tissue: [^\n]*\n$/)
    expect(stderr).toContain(fault)
  })

  it('is exit 3 for a parent that names no issue', () => {
    expect(tissue(root, ['list', '--parent', 'zzz']).code).toBe(3)
    expect(tissue(root, ['list', '--query', 'parent:zzz']).code).toBe(3)
  })
})

describe('tissue ready and claim --next', () => {
  it('take the same filters', () => {
    const root = sample()
    const ready = (...args: string[]) => tissue(root, ['ready', '--quiet', ...args]).stdout
    expect(ready()).toBe('app-log0\n')
    expect(ready('--mine')).toBe('')
    expect(ready('--mine', '--as', 'bob')).toBe('app-log0\n')
    for (const args of [
      ['--tag', 'docs'],
      ['--type', 'task'],
      ['--parent', 'epi'],
      ['--query', 'priority>1'],
    ]) {
      expect(ready(...args), args.join(' ')).toBe('')
      expect(tissue(root, ['claim', '--next', '--as', 'bob', ...args]).code).toBe(3)
    }
    expect(tissue(root, ['claim', '--next']).code).toBe(3)
    expect(tissue(root, ['claim', 'log', '--query', 'blocked']).code).toBe(2)
    expect(tissue(root, ['claim', '--next', '--query', 'type:bug', '--as', 'bob', '-q']).stdout).toBe('app-log0\n')
  })
})

describe('what is below a parent that is over', () => {
  it('is found as ever, also when the log is long enough for a cache that leaves it out', () => {
    const root = folderWith(
      ...['top', 'mid', 'kid'].map((name) => created(`app-${name}0`, { title: name })),
      event({ type: 'linked', issue: 'app-top0', kind: 'parent', target: 'app-mid0' }),
      event({ type: 'linked', issue: 'app-mid0', kind: 'parent', target: 'app-kid0' }),
      event({ type: 'closed', issue: 'app-top0' }),
      event({ type: 'closed', issue: 'app-mid0' }),
      created('app-big0', { body: 'x'.repeat(600_000) }),
      event({ type: 'closed', issue: 'app-big0' }),
    )
    expect(tissue(root, ['comment', 'kid', '-m', 'a write, which keeps the cache']).code).toBe(0)
    for (const verb of ['list', 'ready']) {
      for (const args of [
        ['--parent', 'top'],
        ['--query', 'parent:top'],
      ]) {
        expect(tissue(root, [verb, '-q', ...args]).stdout, verb).toBe('app-kid0\n')
      }
    }
    expect(json(root, 'show', 'kid').linked).toMatchObject([{ id: 'app-mid0', title: 'mid', status: 'closed' }])
    expect(json(root, 'show', 'top').progress).toEqual({ done: 0, total: 1, ready: 1 })
    expect(tissue(root, ['claim', '--next', '--parent', 'top', '-q']).stdout).toBe('app-kid0\n')
  })
})

describe('rows at a terminal', () => {
  it('stand in columns, also behind wide characters', () => {
    const root = folderWith(
      created('app-aaa0', { title: '日本語', tags: ['x'] }),
      created('app-bbb0', { title: 'Fix 🙂', issue_type: 'bug', tags: ['y'], at: now - 2 * dayMs }),
      created('app-ccc0', { title: 'a\tplain\u001b[31m one', assignee: 'bob' }),
    )
    const issues = json(root, 'list')
    expect(issues.map(columnsOf(issues, now))).toEqual([
      'app-aaa0  P2       open  just now  日本語       [x]',
      'app-bbb0  P2  bug  open  2d ago    Fix 🙂       [y]',
      'app-ccc0  P2       open  just now  a plain one  for bob',
    ])
  })
})
