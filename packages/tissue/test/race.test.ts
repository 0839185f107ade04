import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ulid } from '@switchyard/ground/ulid'
import { faultEnv, run, scaled, start, stopped, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { decideClaim } from '../src/change/claim.ts'
import { decideClose } from '../src/change/close.ts'
import { getState } from '../src/issue/issue.ts'
import type { Decide } from '../src/store/append-events.ts'
import { commit, openStore, type Section } from '../src/store/store.ts'
import { recordsIn } from './fixture.ts'

/** A store outside any repository with `count` issues, and their ids. */
function storeWith(count: number): { root: string; ids: string[] } {
  const root = tempFolder('race')
  mkdirSync(join(root, '.tissue'))
  const findings = Array.from({ length: count }, (_, index) => findingLine(`f${index}`))
  const { code, stdout } = run('tissue', ['import', '-', '--quiet'], { cwd: root, input: findings.join('') })
  expect(code).toBe(0)
  return { root, ids: stdout.trimEnd().split('\n') }
}

function findingLine(id: string): string {
  return `${JSON.stringify({ v: 1, type: 'finding', id, rule: 'r', title: id, severity: 'low', path: 'p', line: 1 })}\n`
}

function race(root: string, args: (name: string) => string[], count: number) {
  const names = Array.from({ length: count }, (_, index) => `agent-${index}`)
  return Promise.all(
    names.map(async (name) => ({ name, ...(await start('tissue', args(name), { cwd: root, input: '' }).done) })),
  )
}

/** What a lock that does not lock comes to: the section is entered whoever is inside. */
const brokenSection: Section = async (_path, body) => body()

/** Writes what `decide` says, but lets another process act between the decision inside the section and the write. */
function commitAround(root: string, name: string, decide: Decide, between: () => void) {
  let calls = 0
  const store = openStore({ cwd: root, env: {} })
  const author = { by: name, now: Date.now, ulid }
  return commit(
    store,
    author,
    (ledger) => {
      const drafts = decide(ledger)
      calls += 1
      if (calls === 2) between()
      return drafts
    },
    { section: brokenSection },
  )
}

describe('a race for one issue', () => {
  it('has one acknowledged winner even when the lock does not lock', async () => {
    const { root, ids } = storeWith(1)
    const [id = ''] = ids
    const claiming = commitAround(
      root,
      'slow',
      (ledger) => [decideClaim(ledger, getState(ledger, id), { by: 'slow', at: Date.now() }, { ttlMs: 60_000 })],
      () => expect(run('tissue', ['claim', id, '--as', 'quick'], { cwd: root }).code).toBe(0),
    )
    await expect(claiming).rejects.toMatchObject({
      exitCode: 5,
      message: expect.stringContaining('quick holds it until'),
    })
    const { claim, contested } = JSON.parse(run('tissue', ['show', id, '--json'], { cwd: root }).stdout)
    expect([claim.by, contested]).toEqual(['quick', undefined])
  })

  it('lets no former holder close what was taken over, even when the lock does not lock', async () => {
    const { root, ids } = storeWith(1)
    const [id = ''] = ids
    expect(run('tissue', ['claim', id, '--as', 'slow', '--ttl', '1ms'], { cwd: root }).code).toBe(0)
    const closing = commitAround(
      root,
      'slow',
      (ledger) => decideClose(ledger, [id], { by: 'slow', at: Date.now() }, {}),
      () => expect(run('tissue', ['claim', id, '--as', 'quick'], { cwd: root }).code).toBe(0),
    )
    await expect(closing).rejects.toMatchObject({ exitCode: 5 })
    const issue = JSON.parse(run('tissue', ['show', id, '--json'], { cwd: root }).stdout)
    expect(issue).toMatchObject({ status: 'in_progress', claim: { by: 'quick' } })
  })
})

describe('an act of a holder that stands still while its claim is taken over', () => {
  it.each([
    ['close', []],
    ['release', ['--to', 'eve']],
    ['status', ['paused']],
    ['claim', ['--renew']],
  ])('is refused and taken back: %s', async (verb, more) => {
    const { root, ids } = storeWith(1)
    const [id = ''] = ids
    expect(run('tissue', ['claim', id, '--as', 'slow', '--ttl', '1h'], { cwd: root }).code).toBe(0)
    const rule = { call: 'writeSync', nth: 1, action: 'stop', match: 'issues.jsonl' } as const
    const args = [verb, id, ...more, '--as', 'slow']
    const slow = start('tissue', args, { cwd: root, env: faultEnv(rule), input: '' })
    await stopped(slow.child.pid)
    for (const name of ['lock', 'lock.owner'])
      rmSync(join(root, `.tissue/issues.jsonl.${name}`), { recursive: true, force: true })
    const later = { NODE_OPTIONS: `--require=${hoursAhead()}` }
    expect(run('tissue', ['claim', id, '--as', 'quick'], { cwd: root, env: later }).code).toBe(0)
    slow.child.kill('SIGCONT')
    expect(await slow.done).toMatchObject({ code: 5, stdout: '' })
    const issue = JSON.parse(run('tissue', ['show', id, '--json'], { cwd: root }).stdout)
    expect(issue).toMatchObject({ status: 'in_progress', assignee: null, claim: { by: 'quick' } })
    expect(issue).not.toHaveProperty('conflicts')
    const [last] = recordsIn(root).slice(-1)
    expect(last).toMatchObject({ type: 'withdrawn', by: 'slow', issue: id })
    expect(JSON.parse(run('tissue', ['doctor', '--log', '--json'], { cwd: root }).stdout)).toMatchObject({
      void: 1,
      corrupt: [],
    })
  })
})

/** What makes a process believe that it is two hours later. */
function hoursAhead(): string {
  const path = join(tempFolder('later'), 'later.cjs')
  writeFileSync(path, 'const now = Date.now; Date.now = () => now() + 7_200_000\n')
  return path
}

describe('a batch whose lock does not lock', () => {
  it('does not say that nothing was written when only its claim was lost', async () => {
    const { root, ids } = storeWith(1)
    const [id = ''] = ids
    const acts = [
      { verb: 'new', title: 'Made' },
      { verb: 'claim', id },
    ].map((act) => JSON.stringify(act))
    const rule = { call: 'writeSync', nth: 1, action: 'stop', match: 'issues.jsonl' } as const
    const batch = ['batch', '--as', 'slow', '--json']
    const slow = start('tissue', batch, { cwd: root, env: faultEnv(rule), input: acts.join('\n') })
    await stopped(slow.child.pid)
    for (const name of ['lock', 'lock.owner'])
      rmSync(join(root, `.tissue/issues.jsonl.${name}`), { recursive: true, force: true })
    expect(run('tissue', ['claim', id, '--as', 'quick'], { cwd: root }).code).toBe(0)
    slow.child.kill('SIGCONT')
    const { code, stdout, stderr } = await slow.done
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' })
    expect(stderr).toMatch(/^tissue: line 2 \(claim\): .* quick holds it until .*; the rest was written; /)
    expect(JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error.retryable).toBe(false)
    const listed = JSON.parse(run('tissue', ['list', '--json'], { cwd: root }).stdout)
    expect(listed.map(({ title }: { title: string }) => title)).toContain('Made')
  })
})

describe('many processes at once', () => {
  it('claim --next: 50 of them, under one name, take 50 different issues', async () => {
    const { root, ids } = storeWith(50)
    const ends = await race(root, () => ['claim', '--next', '--as', 'crew', '--quiet'], 50)
    expect(ends.map(({ code }) => code)).toEqual(ends.map(() => 0))
    expect(ends.map(({ stdout }) => stdout.trim()).sort()).toEqual([...ids].sort())
    expect(run('tissue', ['claim', '--next'], { cwd: root }).code).toBe(3)
  })

  it('new: each makes its issue', async () => {
    const root = tempFolder('new')
    const ends = await race(root, (name) => ['new', name], scaled(100))
    expect(ends.filter(({ code, stderr }) => code !== 0 || stderr !== '')).toEqual([])
    const created = recordsIn(root).filter(({ type }) => type === 'created')
    expect(created.map(({ issue }) => `${issue}\n`).sort()).toEqual(ends.map(({ stdout }) => stdout).sort())
    const seqs = recordsIn(root).map(({ seq }) => seq)
    expect(seqs).toEqual(seqs.map((_, index) => index + 1))
  })

  it('import: the same findings make one issue each, and each id is printed once', async () => {
    const root = tempFolder('import')
    const findings = Array.from({ length: 20 }, (_, index) => findingLine(`f${index}`)).join('')
    writeFileSync(join(root, 'findings.jsonl'), findings)
    const ends = await race(root, () => ['import', 'findings.jsonl', '--quiet'], 8)
    expect(ends.filter(({ code }) => code !== 0)).toEqual([])
    const printed = ends.flatMap(({ stdout }) => stdout.split('\n').filter((line) => line !== ''))
    const created = recordsIn(root).filter(({ type }) => type === 'created')
    expect(printed.sort()).toEqual(created.map(({ issue }) => String(issue)).sort())
    expect(printed).toHaveLength(20)
  })
})

describe('the first issue of a store that is stopped before any look at it', () => {
  it('goes into the store that another made meanwhile', async () => {
    for (const nth of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const root = tempFolder('race')
      const env = faultEnv({ call: '*', nth, action: 'stop', match: '.tissue' })
      const slow = start('tissue', ['new', 'Slow'], { cwd: root, env, input: '' })
      await stopped(slow.child.pid)
      expect(run('tissue', ['new', 'Other'], { cwd: root }).code).toBe(0)
      slow.child.kill('SIGCONT')
      const { code, stderr } = await slow.done
      expect({ nth, code, stderr }).toEqual({ nth, code: 0, stderr: '' })
      expect(recordsIn(root).flatMap(({ title }) => title ?? [])).toEqual(['Other', 'Slow'])
    }
  })
})
