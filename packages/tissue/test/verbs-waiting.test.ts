import { run, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { explanation, hit, stats, waiting } from '../src/schema/view-schemas.ts'
import { eventMaker, folderWith } from './log.ts'
import { json, tissue } from './tissue.ts'

const dayMs = 86_400_000
const now = Date.now()
const event = eventMaker(now)

function created(issue: string, fields: object = {}): string {
  return event({ type: 'created', issue, title: issue.slice(4, 7), body: '', priority: 2, tags: [], ...fields })
}

function linked(kind: string, issue: string, target: string): string {
  return event({ type: 'linked', issue, kind, target })
}

/** root blocks mid, mid blocks end; kid is below mid; nap is put off, bed is below it; her is of bob, busy is ada's. */
function sample(): string {
  const until = now + dayMs
  return folderWith(
    created('app-root', { priority: 1 }),
    created('app-mid0'),
    created('app-end0', { priority: 1 }),
    created('app-kid0'),
    created('app-nap0', { defer_until: until }),
    created('app-bed0', { priority: 3 }),
    created('app-her0', { assignee: 'bob' }),
    created('app-busy'),
    created('app-rest'),
    created('app-gone'),
    linked('blocks', 'app-root', 'app-mid0'),
    linked('blocks', 'app-mid0', 'app-end0'),
    linked('parent', 'app-mid0', 'app-kid0'),
    linked('parent', 'app-nap0', 'app-bed0'),
    event({ type: 'claimed', issue: 'app-busy', until, expect: null }),
    event({ type: 'status', issue: 'app-rest', status: 'paused' }),
    event({ type: 'closed', issue: 'app-gone', reason: 'done' }),
  )
}

function lines(root: string, ...args: string[]): string[] {
  const { code, stdout, stderr } = tissue(root, args)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout.trimEnd().split('\n')
}

describe('tissue ready --explain', () => {
  const root = sample()
  const until = new Date(now + dayMs).toISOString()

  it('says of every open issue why it is ready or not', () => {
    expect(lines(root, 'ready', '--explain')).toEqual([
      'app-root  P1  roo  ready',
      'app-her0  P2  her  ready, for bob',
      'app-end0  P1  end  not ready: blocked by app-mid0 (mid)',
      'app-mid0  P2  mid  not ready: blocked by app-root (roo); its parts come first: app-kid0 (kid)',
      'app-kid0  P2  kid  not ready: parent app-mid0 (mid) is blocked by app-root (roo)',
      `app-nap0  P2  nap  not ready: deferred until ${until}; its parts come first: app-bed0 (bed)`,
      `app-busy  P2  bus  not ready: held by ada until ${until}`,
      'app-rest  P2  res  not ready: paused',
      'app-bed0  P3  bed  not ready: parent app-nap0 (nap) is deferred',
    ])
    const all = z.array(explanation.strict()).parse(json(root, 'ready', '--explain'))
    expect(all.filter(({ ready }) => ready).map(({ id }) => id)).toEqual(
      json(root, 'ready').map(({ id }: { id: string }) => id),
    )
  })

  it('explains the issues that are named, filters the others, and knows for whom', () => {
    expect(lines(root, 'ready', '--explain', 'gone')).toEqual(['app-gone  P2  gon  not ready: closed'])
    expect(json(root, 'ready', '--explain', 'kid')).toMatchObject({
      ready: false,
      reasons: [{ kind: 'parent', parent: 'app-mid0', issues: ['app-root'] }],
    })
    expect(lines(root, 'ready', 'her', 'root', '--explain', '--mine')).toEqual([
      'app-her0  P2  her  not ready: assigned to bob',
      'app-root  P1  roo  ready',
    ])
    expect(lines(root, 'ready', '--explain', '--query', 'priority:3', '-q')).toEqual(['app-bed0'])
    expect(tissue(root, ['ready', '--explain', '-n', '1']).stderr).toBe('1 of 9 shown; --limit shows more\n')
    expect(tissue(root, ['ready', 'kid'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'tissue: expected an id only with --explain, got "kid"\n',
    })
    expect(tissue(root, ['ready', '--explain', 'zzz']).code).toBe(3)
  })
})

describe('tissue blocked', () => {
  it('shows what waits, for what, and where the waiting begins', () => {
    const root = sample()
    expect(lines(root, 'blocked')).toEqual([
      'app-end0  P1  end  blocked by app-mid0 (mid), which begins with app-root (roo)',
      'app-mid0  P2  mid  blocked by app-root (roo)',
      'app-kid0  P2  kid  blocked by app-root (roo), held back with its parent app-mid0 (mid)',
      'app-bed0  P3  bed  held back with its parent app-nap0 (nap)',
    ])
    const all = z.array(waiting.strict()).parse(json(root, 'blocked'))
    expect(all[0]).toMatchObject({ blocked_by: [{ id: 'app-mid0' }], roots: [{ id: 'app-root', status: 'open' }] })
    expect(lines(root, 'blocked', '--query', 'priority<2', '-q')).toEqual(['app-end0'])
    expect(tissue(root, ['blocked', '-n', '2']).stderr).toBe('2 of 4 shown; --limit shows more\n')
    tissue(root, ['claim', 'root', '--as', 'bob'])
    expect(lines(root, 'blocked')[1]).toBe('app-mid0  P2  mid  blocked by app-root (roo, @bob)')
    expect(tissue(tempFolder(), ['blocked'])).toEqual({ code: 0, stdout: '', stderr: 'nothing is blocked\n' })
  })

  it('ends in a circle that a merge has made, and names no beginning', () => {
    const root = folderWith(
      created('app-aaa0'),
      created('app-bbb0'),
      linked('blocks', 'app-aaa0', 'app-bbb0'),
      linked('blocks', 'app-bbb0', 'app-aaa0'),
    )
    expect(lines(root, 'blocked')[0]).toBe(
      'app-aaa0  P2  aaa  blocked by app-bbb0 (bbb), in a circle: see tissue dep cycles',
    )
  })
})

describe('tissue list --stale', () => {
  it('lists what nobody touched, by the setting or the flag, and what nobody holds any more', () => {
    const old = { at: now - 20 * dayMs }
    const root = folderWith(
      created('app-old0', old),
      created('app-nap0', { ...old, defer_until: now + dayMs }),
      created('app-new0', { at: now - 3 * dayMs }),
      created('app-dead'),
      created('app-live', old),
      event({ type: 'claimed', issue: 'app-dead', until: now - 1, expect: null, at: now - 1000 }),
      event({ type: 'claimed', issue: 'app-live', until: now + dayMs, expect: null, ...old }),
    )
    expect(lines(root, 'list', '--stale')).toEqual([
      'app-old0  P2  open  old  untouched for 20d',
      expect.stringMatching(/^app-dead {2}P2 {2}in_progress {2}dea {2}@ada \(expired\) {2}untouched for \d+s$/),
    ])
    expect(lines(root, 'list', '--stale', '--older-than', '2d', '-q')).toEqual(['app-old0', 'app-new0', 'app-dead'])
    expect(json(root, 'list', '--stale').map(({ stale }: { stale: string }) => stale)).toEqual([
      'untouched',
      'lease-expired',
    ])
    expect(lines(root, 'list', '--stale', '--query', 'held or title:old', '-q')).toEqual(['app-old0'])
    expect(lines(root, 'list', '--stale', '--reverse', '--all', '--fields', 'short')).toEqual(['app-dead', 'app-old0'])
    expect(lines(root, 'list', '--stale', '--sort', 'title', '-q')).toEqual(['app-dead', 'app-old0'])
    tissue(root, ['config', 'stale', '30d'])
    expect(lines(root, 'list', '--stale', '-q')).toEqual(['app-dead'])
    expect(tissue(root, ['list', '--stale', '--older-than', '2d', '-n', '1']).stderr).toBe(
      '1 of 3 shown; --limit shows more\n',
    )
    expect(tissue(tempFolder(), ['list', '--stale'])).toEqual({ code: 0, stdout: '', stderr: 'nothing is stale\n' })
  })
})

describe('tissue stats', () => {
  it('counts all, groups, and what fits', () => {
    const root = folderWith(
      created('app-aaa0', { tags: ['x', 'y'], due_at: now - 1 }),
      created('app-bbb0', { tags: ['x'], priority: 1, assignee: 'bob' }),
      created('app-ccc0', { at: now - 2 * dayMs }),
      linked('blocks', 'app-aaa0', 'app-bbb0'),
      event({ type: 'closed', issue: 'app-ccc0' }),
    )
    expect(lines(root, 'stats')).toEqual(['3 issues: 2 open, 1 over, 1 ready, 1 blocked, 1 overdue, closed after 2d'])
    expect(stats.strict().parse(json(root, 'stats'))).toEqual({
      v: 1,
      total: 3,
      open: 2,
      over: 1,
      ready: 1,
      blocked: 1,
      held: 0,
      overdue: 1,
      lead_time_ms: 2 * dayMs,
    })
    expect(lines(root, 'stats', '--by', 'tag')).toEqual([
      '3 issues: 2 open, 1 over, 1 ready, 1 blocked, 1 overdue, closed after 2d',
      '  x     2 issues: 2 open, 0 over, 1 ready, 1 blocked, 1 overdue',
      '  none  1 issue: 0 open, 1 over, closed after 2d',
      '  y     1 issue: 1 open, 0 over, 1 ready, 1 overdue',
    ])
    expect(lines(root, 'stats', '--by', 'tag', '-q')).toEqual(['x', 'y'])
    for (const [by, value] of [
      ['status', 'open'],
      ['type', 'task'],
      ['assignee', null],
      ['holder', null],
      ['priority', '2'],
    ]) {
      expect(stats.strict().parse(json(root, 'stats', '--by', String(by))).groups?.[0]?.value).toBe(value)
    }
    expect(lines(root, 'stats', '--query', 'tag:x', '-q')).toEqual(['2'])
    expect(lines(tempFolder(), 'stats')).toEqual(['0 issues: 0 open, 0 over'])
  })
})

describe('tissue search', () => {
  const root = folderWith(
    created('app-bod0', { title: 'Other', body: 'The session token of the login is read twice.' }),
    created('app-tit0', { title: 'Login token' }),
    created('app-com0', { title: 'Third', body: 'token' }),
    event({ type: 'commented', issue: 'app-com0', body: 'Seen in the LOGIN.' }),
    event({ type: 'closed', issue: 'app-com0' }),
  )

  it('finds all words wherever they stand, also in what is closed, best first', () => {
    expect(lines(root, 'search', 'login', 'token')).toEqual([
      'app-tit0  P2  open  Login token',
      'app-bod0  P2  open  Other',
      '  body: The session token of the login is read twice.',
      'app-com0  P2  closed  Third',
      '  body: token',
    ])
    const hits = z.array(hit.strict()).parse(json(root, 'search', 'login'))
    expect(hits.map(({ id, score, place }) => [id, score, place])).toEqual([
      ['app-tit0', 1, 'title'],
      ['app-bod0', 0.5, 'body'],
      ['app-com0', 0.25, 'comment'],
    ])
    expect(lines(root, 'search', '"session token"', '-q')).toEqual(['app-bod0'])
    expect(lines(root, 'search', 'login', '--query', 'status:open', '-n', '1', '--quiet')).toEqual(['app-tit0'])
    expect(tissue(root, ['search', 'login', '-n', '1']).stderr).toBe('1 of 3 shown; --limit shows more\n')
  })

  it.each(['foo-bar', 'a"b', 'title:', '(', 'NOT', '*', "it's AND"])('takes %j as it stands', (words) => {
    expect(tissue(root, ['search', words])).toEqual({ code: 3, stdout: '', stderr: 'no issue fits\n' })
  })
})

it('the schemas of these records are there', () => {
  for (const name of ['explanation', 'waiting', 'stats', 'hit']) {
    expect(run('tissue', ['schema', name], { cwd: tempFolder() }).code, name).toBe(0)
  }
})
