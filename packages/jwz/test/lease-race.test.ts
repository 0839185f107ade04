import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type FaultRule, faultEnv, full, scaled, start, stopped, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { freshLeases } from './lease-bus.ts'

type Leases = ReturnType<typeof freshLeases>

const racers = 32
const stepsMax = 400
/** Every step in a full run. */
const stride = full ? 1 : 19

/** All names at once, each its own process. */
async function race(cwd: string, args: readonly string[], envOf: (at: number) => Record<string, string> = () => ({})) {
  const ends = Array.from({ length: racers }, async (_, at) => {
    const name = `agent-${at}`
    const { done } = start('jwz', ['lease', ...args, '--as', name], { cwd, env: envOf(at), input: '' })
    return { name, ...(await done) }
  })
  return Promise.all(ends)
}

/** One of them has the key, and all others were told who. */
function expectOneWinner(leases: Leases, key: string, ends: Awaited<ReturnType<typeof race>>): void {
  const winners = ends.filter(({ code }) => code === 0)
  expect(winners).toHaveLength(1)
  const [winner] = winners
  for (const { name, code, stdout, stderr } of ends) {
    if (name === winner?.name) continue
    expect({ code, stdout, stderr }).toMatchObject({ code: 5, stdout: '' })
    expect(stderr).toContain(`${winner?.name} holds it until`)
  }
  const held = leases.list().filter(({ keys }) => keys.includes(key))
  expect(held.map(({ id, holder }) => [`${id}\n`, holder])).toEqual([[winner?.stdout, winner?.name]])
}

/** An environment in which a process believes that it is so much later. */
function clockEnv(folder: string, aheadMs: number): Record<string, string> {
  const preload = join(folder, `clock${aheadMs}.cjs`)
  writeFileSync(preload, `const now = Date.now; Date.now = () => now() + ${aheadMs}\n`)
  return { NODE_OPTIONS: `--require=${preload}` }
}

describe('a race for a lease', () => {
  it(`has one winner among ${racers} processes, and the losers name it`, async () => {
    const leases = freshLeases()
    for (let round = 0; round < scaled(50); round++) {
      const key = `key-${round}`
      expectOneWinner(leases, key, await race(leases.cwd, ['acquire', key]))
    }
    expect(leases.records()).toHaveLength(scaled(50))
  })

  it('has one while the lock is taken away from whoever has it', async () => {
    const leases = freshLeases()
    leases.acquire('first')
    const lock = `${leases.log}.lock`
    let isOver = false
    const breaking = (async () => {
      while (!isOver) {
        rmSync(lock, { recursive: true, force: true })
        rmSync(`${lock}.owner`, { force: true })
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
    })()
    for (let round = 0; round < scaled(30); round++) {
      const key = `key-${round}`
      expectOneWinner(leases, key, await race(leases.cwd, ['acquire', key]))
    }
    isOver = true
    await breaking
  })

  it('has one that all agree on when clocks are an hour apart', async () => {
    const leases = freshLeases()
    const folder = tempFolder('clock')
    const clocks = [0, 3_600_000, -3_600_000].map((aheadMs) => clockEnv(folder, aheadMs))
    const envOf = (at: number) => clocks[at % clocks.length] ?? {}
    for (let round = 0; round < scaled(30); round++) {
      const key = `key-${round}`
      const ends = await race(leases.cwd, ['acquire', key, '--ttl', '30m'], envOf)
      // Whoever is fast may take what it believes to be over, and is the holder then.
      const [holder, ...more] = leases.list('--all').filter(({ keys }) => keys.includes(key))
      expect(more).toEqual([])
      expect(ends.find(({ stdout }) => stdout === `${holder?.id}\n`)).toMatchObject({ name: holder?.holder, code: 0 })
      for (const { name, code, stdout } of ends) {
        if (code !== 0 || name === holder?.holder) continue
        expect(leases.lease('acquire', '--renew', stdout.trim(), '--as', name).code).toBe(5)
      }
    }
    const fences = leases.records().flatMap(({ fence }) => (typeof fence === 'number' ? [fence] : []))
    expect(fences).toEqual(fences.map((_, at) => at + 1))
  })

  it('gives a lease to each that waits, one after the other', async () => {
    const leases = freshLeases()
    const inside = join(leases.cwd, 'inside')
    leases.acquire('deploy', '--ttl', '1h')
    const waiting = Array.from({ length: 6 }, async (_, at) => {
      const { done } = start('jwz', ['lease', 'acquire', 'deploy', '--wait', '10m', '--as', `w${at}`], {
        cwd: leases.cwd,
        input: '',
      })
      expect(await done).toMatchObject({ code: 0 })
      mkdirSync(inside)
      rmSync(inside, { recursive: true })
      expect(leases.lease('release', 'deploy', '--as', `w${at}`).code).toBe(0)
    })
    leases.lease('release', 'deploy')
    await Promise.all(waiting)
    expect(leases.list('--all')).toEqual([])
  })
})

/** Runs a verb that is killed before its first call on the store, then its second, until one survives. */
function killAtEveryStep(
  leases: Leases,
  args: readonly string[],
  after: (code: number | null, stdout: string) => void,
) {
  for (let nth = 1; nth < stepsMax; nth += stride) {
    const env = faultEnv({ call: '*', nth, action: 'kill', match: '.jwz' })
    const { code, stdout } = leases.jwz(['lease', ...args], { env })
    after(code, stdout)
    if (code === 0) return nth - 1
    expect(code).toBe(null)
  }
  throw new Error(`a verb of more than ${stepsMax} steps`)
}

/** Every key has one holder at most, the next one to ask gets or is refused in order, and the feed is sound. */
function expectSound(leases: Leases, key: string): void {
  const held = leases.list().filter(({ keys }) => keys.includes(key))
  expect(held.length).toBeLessThan(2)
  const { code, stderr } = leases.lease('acquire', key, '--as', 'other')
  expect([code, stderr]).toEqual([held.length === 0 ? 0 : 5, expect.stringContaining(held[0]?.holder ?? '')])
  if (code === 0) leases.lease('release', key, '--as', 'other')
}

describe('a lease verb that is killed before any of its file calls', () => {
  it('acquire: holds or not, and an acknowledged one holds', () => {
    const leases = freshLeases()
    const steps = killAtEveryStep(leases, ['acquire', 'deploy'], (code, stdout) => {
      expectSound(leases, 'deploy')
      const held = leases.list().map(({ id }) => `${id}\n`)
      if (code === 0) expect(held).toEqual([stdout])
      else leases.lease('release', 'deploy')
    })
    expect(steps).toBeGreaterThan(20)
    expect(leases.jwz(['doctor', '--log'])).toMatchObject({ code: 0 })
  })

  it('renew: keeps the lease, and an acknowledged renewal counts', () => {
    const leases = freshLeases()
    const id = leases.acquire('deploy')
    killAtEveryStep(leases, ['acquire', '--renew', 'deploy', '--ttl', '1d'], (code) => {
      expectSound(leases, 'deploy')
      const [held] = leases.list()
      expect(held?.id).toBe(id)
      if (code === 0) expect(held?.until).toBeGreaterThan(Date.now() + 23 * 3_600_000)
    })
  })

  it('release: it is held or free, and free once that was acknowledged', () => {
    const leases = freshLeases()
    leases.acquire('deploy')
    killAtEveryStep(leases, ['release', 'deploy'], (code) => {
      expectSound(leases, 'deploy')
      if (code === 0) expect(leases.list()).toEqual([])
      else leases.acquire('deploy')
    })
  })
})

describe('an acquire that stands still before any call on the log', () => {
  it('is never a second holder when it goes on', async () => {
    const leases = freshLeases()
    leases.acquire('other')
    let nth = 1
    for (let wasStopped = true; wasStopped; nth += full ? 1 : 4) {
      const key = `key-${nth}`
      const rule: FaultRule = { call: '*', nth, action: 'stop', match: 'leases.jsonl' }
      const args = ['lease', 'acquire', key, '--as', 'slow']
      const slow = start('jwz', args, { cwd: leases.cwd, env: faultEnv(rule), input: '' })
      wasStopped = await Promise.race([slow.done.then(() => false), stopped(slow.child.pid).then(() => true)])
      rmSync(`${leases.log}.lock`, { recursive: true, force: true })
      rmSync(`${leases.log}.lock.owner`, { force: true })
      const quick = leases.lease('acquire', key, '--as', 'quick')
      slow.child.kill('SIGCONT')
      const { code, stdout } = await slow.done
      expect([code, quick.code].sort()).toEqual([0, 5])
      const held = leases.list().filter(({ keys }) => keys.includes(key))
      expect(held.map(({ id }) => `${id}\n`)).toEqual([code === 0 ? stdout : quick.stdout])
    }
    expect(nth).toBeGreaterThan(10)
  })
})
