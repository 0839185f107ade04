import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { faultEnv, full, run, scaled, start, tempFolder, tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { act as actSchema } from '../src/schema/act-schema.ts'
import { acted } from '../src/schema/schemas.ts'
import { verbs } from '../src/verbs.ts'
import { logOf, recordsIn, repoWithIssues } from './fixture.ts'
import { json, tissue } from './tissue.ts'

const k3vd = 'auth-k3vd7rm2w9ht'
const x9qa = 'auth-x9qa4c81n0fz'
const m5t0 = 'auth-m5t0j6y3e8bp'

const work = [
  { verb: 'new', name: 'a', title: 'A', type: 'bug', meta: { area: 'x' } },
  { verb: 'new', name: 'b', title: 'B', blocked_by: 'a', tag: ['a,b', 'c d'] },
  { verb: 'claim', id: 'a', ttl: '1h' },
  { verb: 'edit', id: 'a', title: 'AA', append: '- more' },
  { verb: 'comment', id: 'a', message: 'Seen.' },
  { verb: 'close', id: 'a', reason: 'done' },
  { verb: 'claim', id: 'b' },
]

function linesOf(acts: readonly unknown[]): string {
  return acts.map((act) => `${JSON.stringify(act)}\n`).join('')
}

/** Runs `batch` with acts on stdin. */
function batch(root: string, acts: readonly unknown[], ...args: string[]) {
  return tissue(root, ['batch', ...args], linesOf(acts))
}

/** What `batch` prints with --json, after it succeeded. */
function rowsOf(root: string, acts: readonly unknown[], ...args: string[]) {
  const { code, stdout, stderr } = batch(root, acts, '--json', ...args)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout).map((row: unknown) => acted.parse(row))
}

describe('tissue batch', () => {
  it('does several things in one line of the log, each on top of those before it', () => {
    const root = tempRepo()
    const rows = rowsOf(root, work)
    expect(rows).toMatchObject(work.map(({ verb }, index) => ({ line: index + 1, verb, changed: true })))
    const [line, ...rest] = recordsIn(root)
    expect(rest.map(({ type }) => type)).toEqual(['confirmed', 'confirmed'])
    const events = [line?.['events']].flat().map((event) => Object(event))
    expect(events.map(({ type }) => type)).toEqual([
      'configured',
      'created',
      'created',
      'claimed',
      'edited',
      'commented',
      'closed',
      'claimed',
    ])
    expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(line).toMatchObject({ type: 'batch', seq: 9 })
    const [a, b] = rows.map(({ id = '' }: { id?: string }) => id)
    const first = json(root, 'show', a)
    expect(first).toMatchObject({
      title: 'AA',
      body: '- more',
      status: 'closed',
      close_reason: 'done',
      issue_type: 'bug',
    })
    expect(first).not.toHaveProperty('conflicts')
    expect(first.comments).toMatchObject([{ body: 'Seen.', id: rows[4].comment }])
    expect(json(root, 'show', b)).toMatchObject({ blocked_by: [], tags: ['a,b', 'c d'], claim: { by: 'ada' } })
    expect(json(root, 'doctor', '--log')).toMatchObject({ lines: 3, events: 10, void: 0, corrupt: [] })
    expect(tissue(root, ['edit', a, '--title', 'later']).code).toBe(0)
    expect(json(root, 'show', a)).not.toHaveProperty('conflicts')
  })

  it('knows every act, and says what was as asked already', () => {
    const root = repoWithIssues()
    const acts = [
      { verb: 'edit', id: 'k3vd', priority: 5, assignee: 'bob', add_tag: 'new', add_ref: ['gh-1'], meta: { a: 'b' } },
      { verb: 'edit', id: 'k3vd', assignee: 'none', rm_tag: 'new', rm_ref: 'gh-1', meta: { a: null }, parent: 'm5t0' },
      { verb: 'edit', id: 'k3vd', parent: 'none', due: '2026-12-01', estimate: '2h', accept: 'It holds.', type: 'bug' },
      { verb: 'status', id: 'k3vd', status: 'paused', reason: 'waits' },
      { verb: 'status', id: 'k3vd', status: 'paused' },
      { verb: 'tag add', id: 'x9qa', tag: ['one', 'two'] },
      { verb: 'tag rm', id: 'x9qa', tag: 'one' },
      { verb: 'dep add', from: 'x9qa', kind: 'relates', to: ['m5t0'] },
      { verb: 'dep rm', from: 'x9qa', kind: 'relates', to: 'm5t0' },
      { verb: 'dep rm', from: 'x9qa', kind: 'relates', to: 'm5t0' },
      { verb: 'reopen', id: 'm5t0', reason: 'again' },
      { verb: 'block', id: 'm5t0', by: ['x9qa'] },
      { verb: 'claim', id: 'm5t0', ttl: '2h' },
      { verb: 'release', id: 'm5t0', note: 'not mine', to: 'bob' },
      { verb: 'close', id: 'm5t0', force: true },
    ]
    for (const act of acts) expect(actSchema.safeParse(act).error).toBeUndefined()
    const same = acts.flatMap((_, index) => (index === 4 || index === 9 ? [index] : []))
    const rows = rowsOf(root, acts)
    expect(rows.flatMap(({ changed }: { changed: boolean }, index: number) => (changed ? [] : [index]))).toEqual(same)
    expect(json(root, 'show', 'k3vd')).toMatchObject({
      priority: 5,
      assignee: null,
      status: 'paused',
      issue_type: 'bug',
      estimate_ms: 7_200_000,
      acceptance: 'It holds.',
    })
    expect(json(root, 'show', 'x9qa').tags).toContain('two')
    expect(json(root, 'show', 'm5t0')).toMatchObject({ status: 'closed', assignee: 'bob' })
    expect(json(root, 'doctor', '--log')).toMatchObject({ corrupt: [] })
  })

  it('has acts whose fields are the arguments and flags of their verbs, and all of them that say what is written', async () => {
    const ofTheCall: Record<string, string> = {
      new: 'plan check-similar dry-run',
      close: 'claim-next',
      claim: 'next renew lease tag type parent query',
    }
    for (const { shape } of actSchema.options) {
      const { verb, ...fields } = shape
      const { args = [], flags = {} } = (await verbs[verb.value]?.()) ?? {}
      const known = [...args.map(({ name }) => name), ...Object.keys(flags)]
      const own = verb.value === 'new' ? ['name'] : []
      const strange = Object.keys(fields).filter((name) => ![...known, ...own].includes(name.replaceAll('_', '-')))
      expect(strange, verb.value).toEqual([])
      const others = `stdin file store as ${ofTheCall[verb.value]}`.split(' ')
      const missing = known.filter((name) => !(name.replaceAll('-', '_') in fields) && !others.includes(name))
      expect(missing, `${verb.value}: flags of what is written belong into src/schema/verb-flags.ts`).toEqual([])
    }
  })

  it('prints the verbs and ids as text, ids with --quiet, and reads a file', () => {
    const root = repoWithIssues()
    writeFileSync(join(root, 'acts.jsonl'), `${linesOf([{ verb: 'tag add', id: 'k3vd', tag: 'x' }])}\r\n\n`)
    expect(tissue(root, ['batch', 'acts.jsonl'])).toEqual({ code: 0, stdout: `tag add  ${k3vd}\n`, stderr: '' })
    expect(tissue(root, ['batch', 'acts.jsonl']).stdout).toBe(`tag add  ${k3vd}  (as it was)\n`)
    expect(tissue(root, ['batch', 'acts.jsonl', '--quiet']).stdout).toBe(`${k3vd}\n`)
    expect(tissue(root, ['batch', 'none.jsonl']).code).toBe(3)
    expect(tissue(root, ['batch', '-'], '')).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  it('makes an issue of a key once', () => {
    const root = tempRepo()
    const acts = [
      { verb: 'new', name: 'a', title: 'A', key: 'k' },
      { verb: 'new', name: 'again', title: 'A', key: 'k' },
      { verb: 'comment', id: 'again', message: 'x' },
    ]
    const rows = rowsOf(root, acts)
    expect(rows.map(({ id }: { id?: string }) => id)).toEqual([rows[0].id, rows[0].id, rows[0].id])
    expect(rowsOf(root, acts.slice(0, 2)).map(({ changed }: { changed: boolean }) => changed)).toEqual([false, false])
  })

  it('with --dry-run checks everything, writes nothing and names no id that is not there', () => {
    const root = tempRepo()
    const { code, stdout, stderr } = batch(root, work, '--dry-run', '--json')
    expect({ code, stderr }).toEqual({ code: 0, stderr: `would change ${work.length} of ${work.length}\n` })
    for (const row of JSON.parse(stdout)) expect(Object.keys(acted.parse(row))).not.toContain('id')
    expect(batch(root, [...work, { verb: 'close', id: 'nobody' }], '--dry-run').code).toBe(3)
    expect(existsSync(join(root, '.tissue'))).toBe(false)
  })
})

describe('a batch that cannot be', () => {
  it('is refused with the lines that are no acts', () => {
    const root = repoWithIssues()
    const before = readFileSync(logOf(root), 'utf8')
    const lines = [
      '{"verb":"clos","id":"k3vd"}',
      '{"verb":"close"}',
      '',
      'x',
      '{"verb":"claim","id":"k3vd","ttl":"0s"}',
      '{"verb":"new","title":"two\\nlines"}',
      '{"verb":"close","id":"k3vd","why":"x"}',
    ]
    const { code, stderr } = tissue(root, ['batch'], lines.join('\n'))
    expect(code).toBe(2)
    for (const part of [
      'line 1: verb',
      'line 2: id',
      'line 4: is no JSON',
      'line 5: expected ttl',
      'line 6: expected a title',
      'line 7: Unrecognized key: "why"',
    ])
      expect(stderr).toContain(part)
    expect(run('tissue', ['batch'], { cwd: root, input: new Uint8Array([0xff]) }).code).toBe(2)
    expect(readFileSync(logOf(root), 'utf8')).toBe(before)
  })

  it('fails as the verb does, naming the line, and nothing of it is done', () => {
    const root = repoWithIssues()
    tissue(root, ['claim', 'k3vd', '--as', 'bob'])
    const before = readFileSync(logOf(root), 'utf8')
    const tag = { verb: 'tag add', id: 'm5t0', tag: 'x' }
    const refused = [
      [{ verb: 'close', id: 'k3vd' }, 5, 'line 2 (close): expected auth-k3vd7rm2w9ht to be free, bob holds it'],
      [{ verb: 'close', id: 'x9qa' }, 5, `line 2 (close): expected ${x9qa} to wait for nothing`],
      [{ verb: 'claim', id: 'm5t0' }, 5, `line 2 (claim): expected an issue to work on, ${m5t0} is closed`],
      [{ verb: 'block', id: 'k3vd', by: 'x9qa' }, 5, 'line 2 (block): expected no circle'],
      [{ verb: 'edit', id: 'm5t0', if_rev: 'old', title: 'x' }, 5, `line 2 (edit): expected ${m5t0} to be at old`],
      [{ verb: 'comment', id: 'nobody', message: 'x' }, 3, 'line 2 (comment): expected the id of an issue'],
      [{ verb: 'new', title: 'x', parent: 'nobody' }, 3, 'line 2 (new): expected the id of an issue'],
    ] as const
    for (const [act, code, message] of refused) {
      const end = batch(root, [tag, act])
      expect(end).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) })
      expect(end.stderr).toContain('nothing was written')
    }
    const twice = [1, 2].map(() => ({ verb: 'new', name: 'a', title: 'A' }))
    expect(batch(root, twice)).toMatchObject({ code: 2, stderr: expect.stringContaining('line 2 (new): the name "a"') })
    expect(readFileSync(logOf(root), 'utf8')).toBe(before)
  })
})

describe('a batch under stress', () => {
  it('killed before any of its file calls is done whole or not at all', () => {
    const acts = [...work, { verb: 'tag add', id: 'kept', tag: 'done' }]
    const prepared = () => {
      const cwd = tempFolder('batch')
      const kept = tissue(cwd, ['new', 'Kept']).stdout.trim()
      return { cwd, kept, input: linesOf(acts).replace('"kept"', JSON.stringify(kept)) }
    }
    const { cwd, input } = prepared()
    const trace = join(cwd, 'trace')
    const env = faultEnv({ call: '*', nth: 1_000_000, action: 'kill', trace })
    expect(run('tissue', ['batch'], { cwd, env, input }).code).toBe(0)
    const steps = readFileSync(trace, 'utf8').trimEnd().split('\n').length
    expect(steps).toBeGreaterThan(10)
    for (let nth = 1; nth <= steps; nth += full ? 1 : 43) {
      const { cwd: root, kept, input: lines } = prepared()
      const killed = run('tissue', ['batch'], {
        cwd: root,
        env: faultEnv({ call: '*', nth, action: 'kill' }),
        input: lines,
      })
      expect(killed.signal, `step ${nth}`).toBe('SIGKILL')
      const count = json(root, 'doctor', '--log').issues
      const isDone = json(root, 'show', kept).tags.includes('done')
      expect([count, isDone], `step ${nth}`).toEqual(isDone ? [3, true] : [1, false])
      if (killed.stdout !== '') expect(isDone).toBe(true)
      expect(run('tissue', ['batch'], { cwd: root, input: lines }).code).toBe(0)
    }
  })

  it('of several that claim the same issues, one gets all of them', async () => {
    const root = tempFolder('batch')
    const ids = ['one', 'two', 'three'].map((title) => tissue(root, ['new', title]).stdout.trim())
    writeFileSync(join(root, 'acts.jsonl'), linesOf(ids.map((id) => ({ verb: 'claim', id }))))
    const names = Array.from({ length: 8 }, (_, index) => `agent-${index}`)
    const ends = await Promise.all(
      names.map(async (name) => ({
        name,
        ...(await start('tissue', ['batch', 'acts.jsonl', '--as', name], { cwd: root, input: '' }).done),
      })),
    )
    const winners = ends.filter(({ code }) => code === 0)
    expect(winners).toHaveLength(1)
    expect(ends.filter(({ code }) => code === 5)).toHaveLength(7)
    for (const id of ids) expect(json(root, 'show', id).claim.by).toBe(winners[0]?.name)
  })

  it('may be long, and carry what text can', () => {
    const root = tempFolder('batch')
    const body = `\u0000\r\n🎉${'x'.repeat(1_000_000)}`
    const count = scaled(1000)
    const acts = Array.from({ length: count }, (_, n) => ({
      verb: 'new',
      name: `n${n}`,
      title: `Step ${n}`,
      ...(n === 0 ? { body } : { blocked_by: `n${n - 1}` }),
    }))
    const rows = rowsOf(root, acts)
    expect(json(root, 'show', rows[0].id).body).toBe(body)
    expect(json(root, 'doctor', '--log').issues).toBe(count)
  })
})
