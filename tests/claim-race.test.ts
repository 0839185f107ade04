import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type FaultRule, faultEnv, full, run, scaled, start, stopped, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'

const racers = 32

type EnvOf = (at: number) => Record<string, string>

/** A store outside any repository with `count` issues, and their ids. */
function storeWith(count: number): { root: string; ids: string[] } {
  const root = tempFolder('race')
  mkdirSync(join(root, '.tissue'))
  const finding = { v: 1, type: 'finding', rule: 'r', severity: 'low', path: 'p', line: 1 }
  const lines = Array.from({ length: count }, (_, at) => JSON.stringify({ ...finding, id: `f${at}`, title: `${at}` }))
  const { code, stdout } = run('tissue', ['import', '-', '--quiet'], { cwd: root, input: `${lines.join('\n')}\n` })
  expect(code).toBe(0)
  return { root, ids: stdout.trimEnd().split('\n') }
}

/** All names at once, each its own process. */
function race(cwd: string, id: string, envOf: EnvOf = () => ({})) {
  const ends = Array.from({ length: racers }, async (_, at) => {
    const name = `agent-${at}`
    const { done } = start('tissue', ['claim', id, '--as', name, '--quiet'], { cwd, env: envOf(at), input: '' })
    return { name, ...(await done) }
  })
  return Promise.all(ends)
}

function holderOf(cwd: string, id: string): string | undefined {
  return JSON.parse(run('tissue', ['show', id, '--json'], { cwd }).stdout).claim?.by
}

/** One of them has the issue, and all others were told who. */
function expectOneWinner(root: string, id: string, ends: Awaited<ReturnType<typeof race>>): void {
  const [winner, ...more] = ends.filter(({ code }) => code === 0)
  expect({ stdout: winner?.stdout, more }).toEqual({ stdout: `${id}\n`, more: [] })
  for (const { code, stdout, stderr, name } of ends) {
    if (name === winner?.name) continue
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' })
    expect(stderr).toContain(`expected ${id} to be free, ${winner?.name} holds it until `)
  }
  expect(holderOf(root, id)).toBe(winner?.name)
}

/** An environment in which a process believes that it is so much later. */
function clockEnv(folder: string, aheadMs: number): Record<string, string> {
  const preload = join(folder, `clock${aheadMs}.cjs`)
  writeFileSync(preload, `const now = Date.now; Date.now = () => now() + ${aheadMs}\n`)
  return { NODE_OPTIONS: `--require=${preload}` }
}

describe('a race for one issue', () => {
  it(`has one winner among ${racers} processes, and the losers name it`, async () => {
    const { root, ids } = storeWith(scaled(1000, 100))
    for (const [round, id] of ids.entries()) {
      // A holder killed in its section leaves its lock behind.
      if (round % 10 === 0) {
        const env = faultEnv({ call: 'writeSync', nth: 1, action: 'kill', match: 'issues.jsonl' })
        expect(run('tissue', ['claim', id, '--as', 'dead'], { cwd: root, env }).signal).toBe('SIGKILL')
      }
      expectOneWinner(root, id, await race(root, id))
    }
    const { lines, corrupt } = JSON.parse(run('tissue', ['doctor', '--log', '--json'], { cwd: root }).stdout)
    expect({ lines, corrupt }).toEqual({ lines: expect.any(Number), corrupt: [] })
  })

  it('has one while the lock is taken away from whoever has it', async () => {
    const { root, ids } = storeWith(scaled(50))
    const lock = join(root, '.tissue/issues.jsonl.lock')
    let isOver = false
    const breaking = (async () => {
      while (!isOver) {
        rmSync(lock, { recursive: true, force: true })
        rmSync(`${lock}.owner`, { force: true })
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
    })()
    for (const id of ids) expectOneWinner(root, id, await race(root, id))
    isOver = true
    await breaking
  })

  it('has one that all agree on when clocks are an hour apart', async () => {
    const { root, ids } = storeWith(scaled(40))
    const folder = tempFolder('clock')
    const clocks = [0, 3_600_000, -3_600_000].map((aheadMs) => clockEnv(folder, aheadMs))
    const envOf: EnvOf = (at) => clocks[at % clocks.length] ?? {}
    for (const id of ids) {
      const ends = await race(root, id, envOf)
      // Whoever is fast may take what it believes to be over, and is the holder then.
      const holder = holderOf(root, id)
      expect(ends.find(({ name }) => name === holder)).toMatchObject({ code: 0, stdout: `${id}\n` })
      for (const [at, { name, code }] of ends.entries()) {
        if (code !== 0 || name === holder) continue
        const late = ['claim', '--renew', id, '--as', name]
        expect(run('tissue', late, { cwd: root, env: envOf(at) })).toMatchObject({ code: 5, stdout: '' })
      }
      expect(holderOf(root, id)).toBe(holder)
    }
  })
})

describe('a claim that stands still before any call on the log', () => {
  it('is never a second holder when it goes on, although its lock is gone', async () => {
    const { root, ids } = storeWith(80)
    const lock = join(root, '.tissue/issues.jsonl.lock')
    let nth = 1
    let pauses = 0
    for (const id of ids) {
      const rule: FaultRule = { call: '*', nth, action: 'stop', match: 'issues.jsonl' }
      const slow = start('tissue', ['claim', id, '--as', 'slow', '--quiet'], {
        cwd: root,
        env: faultEnv(rule),
        input: '',
      })
      const wasStopped = await Promise.race([slow.done.then(() => false), stopped(slow.child.pid).then(() => true)])
      if (!wasStopped) break
      pauses += 1
      rmSync(lock, { recursive: true, force: true })
      rmSync(`${lock}.owner`, { force: true })
      const quick = run('tissue', ['claim', id, '--as', 'quick', '--quiet'], { cwd: root })
      slow.child.kill('SIGCONT')
      const { code, stderr } = await slow.done
      expect([code, quick.code].sort(), `step ${nth}: ${stderr}`).toEqual([0, 5])
      expect(holderOf(root, id)).toBe(code === 0 ? 'slow' : 'quick')
      nth += full ? 1 : 3
    }
    expect(pauses).toBeGreaterThan(full ? 20 : 7)
  })
})

describe('claims that stand still, each before a call of its own, or end there', () => {
  it('have at most one winner, who then holds it, although the lock is taken away from all', async () => {
    const rounds = scaled(80)
    const { root, ids } = storeWith(rounds)
    const lock = join(root, '.tissue/issues.jsonl.lock')
    const unlock = () => {
      for (const path of [lock, `${lock}.owner`]) rmSync(path, { recursive: true, force: true })
    }
    let paused = 0
    for (const [round, id] of ids.entries()) {
      const racers = []
      for (const [place, name] of ['one', 'two', 'three'].entries()) {
        const nth = 1 + ((round * 7 + place * 11 + round * place * 3) % 24)
        const rule: FaultRule = { call: '*', nth, action: 'stop', match: 'issues.jsonl' }
        const args = ['claim', id, '--as', name, '--quiet']
        const racer = start('tissue', args, { cwd: root, env: faultEnv(rule), input: '' })
        if (await Promise.race([racer.done.then(() => false), stopped(racer.child.pid).then(() => true)])) paused += 1
        racers.push({ name, ...racer })
        unlock()
      }
      // In another order each time, and one in four never goes on.
      const order = round % 2 === 0 ? racers.toReversed() : racers
      const ends = []
      for (const [place, { name, child, done }] of order.entries()) {
        child.kill((round + place) % 4 === 0 ? 'SIGKILL' : 'SIGCONT')
        ends.push({ name, code: (await done).code })
        unlock()
      }
      const winners = ends.filter(({ code }) => code === 0).map(({ name }) => name)
      expect(winners.length, `round ${round}`).toBeLessThan(2)
      if (winners.length === 1) expect(holderOf(root, id), `round ${round}`).toBe(winners[0])
      const heir = run('tissue', ['claim', id, '--as', 'heir'], { cwd: root })
      expect([heir.code, holderOf(root, id)], `round ${round}`).toEqual(
        heir.code === 0 ? [0, 'heir'] : [5, expect.stringMatching(/^(one|two|three)$/)],
      )
      if (winners.length === 1) expect(heir.code).toBe(5)
    }
    expect(paused).toBeGreaterThan(rounds)
    expect(run('tissue', ['doctor', '--log'], { cwd: root }).code).toBe(0)
  })
})
