// What a merge of logs leaves that neither clone would have made.
import { appendFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { faultEnv, run, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { logOf, recordsIn } from './fixture.ts'
import { json, tissue } from './tissue.ts'

type Finding = { check: string; state: string; detail: string; advice: string }

/** Does all of it in a copy of a store, and gives the copy. */
function inClone(root: string, ...acts: readonly (readonly string[])[]): string {
  const clone = tempFolder('clone')
  cpSync(root, clone, { recursive: true })
  for (const args of acts) {
    const { code, stderr } = run('tissue', args, { cwd: clone, env: { JWZ_AGENT: 'bob' } })
    expect([code, stderr]).toEqual([0, expect.any(String)])
  }
  return clone
}

/** A store whose log is that of `mine` with what `theirs` has more behind it, as git merges them. */
function merged(mine: string, theirs: string): string {
  const root = tempFolder('merged')
  cpSync(mine, root, { recursive: true })
  const known = readFileSync(logOf(mine), 'utf8')
  const news = readFileSync(logOf(theirs), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !known.includes(line))
  appendFileSync(logOf(root), news.map((line) => `${line}\n`).join(''))
  return root
}

function withIssues(...titles: string[]): { root: string; ids: string[] } {
  const root = tempFolder('store')
  return { root, ids: titles.map((title) => tissue(root, ['new', title]).stdout.trim()) }
}

/** What the doctor has to say of the issues. */
function toSettle(root: string): Finding[] {
  const found: Finding[] = json(root, 'doctor')
  return found.filter(({ check, state }) => check === 'issues' && state !== 'ok')
}

describe('after a merge', () => {
  it('work that the other clone has laid down and taken up again stays with its holder, and both are named', () => {
    const { root, ids } = withIssues('Both at it')
    const [id = ''] = ids
    const theirs = inClone(root, ['status', id, 'paused'], ['status', id, 'open'])
    const busy = ['a', 'b', 'c'].map((tag) => ['tag', 'add', id, tag])
    const both = merged(inClone(root, ...busy, ['claim', id]), theirs)
    expect(json(both, 'show', id)).toMatchObject({ status: 'in_progress', claim: { by: 'bob' } })
    expect([json(both, 'ready'), json(both, 'list', '--stale')]).toEqual([[], []])
    expect(toSettle(both)).toMatchObject([
      { detail: '1 conflict between clones', advice: 'tissue list --conflicts has both sides' },
    ])
    expect(tissue(both, ['status', id, 'in_progress', '--as', 'bob']).code).toBe(0)
    expect(toSettle(both)).toEqual([])
  })

  it('a holder is told that its issue is closed', () => {
    const { root, ids } = withIssues('Done elsewhere')
    const [id = ''] = ids
    const closed = inClone(root, ...['a', 'b'].map((tag) => ['tag', 'add', id, tag]), ['close', id])
    const both = merged(closed, inClone(root, ['claim', id]))
    expect(json(both, 'show', id)).toMatchObject({ status: 'closed', claim: null })
    const renewal = ['claim', '--renew', id, '--as', 'bob']
    expect(tissue(both, renewal)).toMatchObject({ code: 5, stderr: expect.stringContaining('it is closed') })
    expect(tissue(both, ['claim', '--renew', '--as', 'bob']).code).toBe(3)
    expect(json(both, 'list', '--conflicts')).toMatchObject([{ issue: id, field: 'status' }])
  })

  it('two parents, circles, unknown ends and keys used twice are named, each with what to do', () => {
    const { root, ids } = withIssues('Child', 'One', 'Two')
    const [child = '', one = '', two = ''] = ids
    const mine = inClone(root, ['dep', 'add', one, 'parent', child], ['block', one, '--by', two])
    const theirs = inClone(root, ['dep', 'add', two, 'parent', child], ['block', two, '--by', one])
    const both = merged(mine, theirs)
    const [created] = recordsIn(root).filter(({ issue }) => issue === child)
    const [prefix = ''] = child.split(/-[^-]*$/)
    const twin = (issue: string, seq: number) => ({
      ...created,
      id: `E${seq}`,
      seq,
      issue: `${prefix}-${issue}`,
      key: 'k',
    })
    const link = { ...created, type: 'linked', id: 'E3', seq: 52, kind: 'blocks', target: `${prefix}-unknown0` }
    const lines = [twin('twina0', 50), twin('twinb0', 51), link].map((event) => `${JSON.stringify(event)}\n`)
    appendFileSync(logOf(both), lines.join(''))
    const found = toSettle(both)
    expect(found.map(({ detail }) => detail)).toEqual([
      expect.stringContaining(' has 2 parents: '),
      expect.stringMatching(/^links go in a circle: \S+ blocks \S+ blocks \S+$/),
      expect.stringMatching(/^links to no known issue: \S+ blocks \S+-unknown0$/),
      `made with the same key: ${prefix}-twina, ${prefix}-twinb`,
    ])
    expect(found[3]?.advice).toBe(`tissue close ${prefix}-twinb --duplicate-of ${prefix}-twina`)
    for (const command of [
      ['dep', 'rm', one, 'parent', child],
      ['dep', 'rm', one, 'blocks', two],
      ['close', 'twinb', '--duplicate-of', 'twina'],
    ]) {
      expect(tissue(both, command).code).toBe(0)
    }
    expect(toSettle(both).map(({ detail }) => detail)).toEqual([expect.stringContaining('no known issue')])
  })
})

describe('the feed after a merge', () => {
  it('tells of the writes that are made here, once, also when the log was replaced', () => {
    const { root } = withIssues('Before')
    mkdirSync(join(root, '.jwz/topics'), { recursive: true })
    const theirs = inClone(root, ['new', 'Theirs'])
    const own = [tissue(root, ['new', 'Mine']), tissue(root, ['new', 'Mine, too'])]
    expect(own.map(({ code }) => code)).toEqual([0, 0])
    const both = merged(theirs, root)
    writeFileSync(logOf(root), readFileSync(logOf(both)))
    expect(tissue(root, ['new', 'After']).code).toBe(0)
    const feed = run('jwz', ['read', 'tissue:feed', '--json'], { cwd: root })
    const said: { body: string }[] = JSON.parse(feed.stdout)
    expect(said.map(({ body }) => body.replace(/\S+-\S+/, 'ID'))).toEqual(
      ['Mine', 'Mine, too', 'After'].map((title) => expect.stringContaining(title)),
    )
  })

  it('tells of a compaction, also of one that was killed before it could', () => {
    for (const env of [{}, faultEnv({ call: 'writeSync', nth: 1, action: 'kill', match: 'feed.jsonl' })]) {
      const { root, ids } = withIssues('One')
      for (const title of ['Two', 'Three', 'Four']) tissue(root, ['edit', ids[0] ?? '', '--title', title])
      mkdirSync(join(root, '.jwz/topics'), { recursive: true })
      run('tissue', ['compact'], { cwd: root, env: { JWZ_AGENT: 'ada', ...env } })
      expect(tissue(root, ['new', 'After']).code).toBe(0)
      const said: { body: string }[] = JSON.parse(run('jwz', ['read', 'tissue:feed', '--json'], { cwd: root }).stdout)
      expect(said.map(({ body }) => body)).toEqual([
        expect.stringMatching(/^compacted the log: \d+ lines are in issues\.\S+\.jsonl only$/),
        expect.stringContaining('After'),
      ])
    }
  })
})
