import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type FaultRule, faultEnv, full, git, run, start, stopped } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { freshBus } from './bus.ts'

type Bus = ReturnType<typeof freshBus>

const stepsMax = 200

/**
 * Runs `act` with a post that is killed before its first call below `.jwz`, then its second, and so on until one
 * survives; the steps.
 */
function killAtEveryStep(act: (env: Record<string, string>, step: number) => { code: number | null }): number {
  for (let step = 1; step < stepsMax; step += full ? 1 : 7) {
    const { code } = act(faultEnv({ call: '*', nth: step, action: 'kill', match: '.jwz' }), step)
    if (code === 0) return step - 1
    expect(code).toBe(null)
  }
  throw new Error(`a post with more than ${stepsMax} steps`)
}

function read(bus: Bus, topic: string): { id: string; body: string }[] {
  return JSON.parse(bus.jwz(['read', topic, '--limit', '5000', '--json']).stdout)
}

/** The ids of all that were acknowledged are there once, nothing is there twice, and check has nothing to say. */
function expectSound(bus: Bus, topic: string, acknowledged: readonly string[]) {
  const messages = read(bus, topic)
  for (const id of acknowledged) expect(messages.filter((message) => message.id === id)).toHaveLength(1)
  expect(new Set(messages.map(({ body }) => body)).size).toBe(messages.length)
  const { code, stdout } = bus.jwz(['doctor', '--log'])
  expect([code, stdout]).toEqual([0, expect.stringMatching(/ 0 repeated, 0 corrupt\n$/)])
}

describe('a post that is killed before any of its file calls', () => {
  it('loses nothing that was acknowledged, and the next post works', () => {
    const bus = freshBus()
    const acknowledged = [bus.post('t', 'first')]
    const steps = killAtEveryStep((env, step) => {
      const killed = bus.jwz(['post', 't', '-m', `killed ${step}`], { env })
      if (killed.code === 0) acknowledged.push(killed.stdout.trim())
      acknowledged.push(bus.post('t', `next ${step}`))
      return killed
    })
    expect(steps).toBeGreaterThan(6)
    expectSound(bus, 't', acknowledged)
  })

  it('leaves a fresh repository as git saw it, however far its store has come', () => {
    const bus = freshBus()
    let acknowledged = ''
    killAtEveryStep((env) => {
      git(bus.cwd, 'clean', '-qfdx')
      const killed = bus.jwz(['post', 'deep:topic', '-m', 'killed'], { env })
      if (existsSync(join(bus.cwd, '.jwz/topics'))) expect(git(bus.cwd, 'status', '--porcelain')).toBe('')
      acknowledged = bus.post('deep:topic', 'next')
      expect(bus.jwz(['latest', 'deep:topic', '-q']).stdout).toBe(`${acknowledged}\n`)
      expect(readFileSync(join(bus.cwd, '.jwz/.gitignore'), 'utf8')).toBe('*\n')
      return killed
    })
    expectSound(bus, 'deep:topic', [acknowledged])
    expect(git(bus.cwd, 'status', '--porcelain')).toBe('')
  })

  it('never leaves a line without its blob', () => {
    const bus = freshBus()
    bus.post('t', 'first')
    killAtEveryStep((env, step) => {
      const killed = bus.jwz(['post', 't', '-'], { env, input: `${step} ${'x'.repeat(40_000)}` })
      expectSound(bus, 't', killed.code === 0 ? [killed.stdout.trim()] : [])
      return killed
    })
  })
})

describe('a post that is stopped before any call on its topic', () => {
  it('is in the log once when it goes on, and so is another that came in between', async () => {
    const bus = freshBus()
    const acknowledged = [bus.post('t', 'first')]
    let step = 0
    for (let wasStopped = true; wasStopped; ) {
      step += 1
      const rule: FaultRule = { call: '*', nth: step, action: 'stop', match: 't.jsonl' }
      const slow = start('jwz', ['post', 't', '-m', `slow ${step}`], { cwd: bus.cwd, env: faultEnv(rule), input: '' })
      wasStopped = await Promise.race([slow.done.then(() => false), stopped(slow.child.pid).then(() => true)])
      acknowledged.push(bus.post('t', `between ${step}`))
      slow.child.kill('SIGCONT')
      const { code, stdout } = await slow.done
      expect(code).toBe(0)
      acknowledged.push(stdout.trim())
    }
    expect(step).toBeGreaterThan(5)
    expectSound(bus, 't', acknowledged)
    expect(read(bus, 't')).toHaveLength(acknowledged.length)
  })
})

describe('the first post of a bus that is stopped before any look at it', () => {
  it('goes on in the bus that another made meanwhile', async () => {
    for (const nth of [1, 2, 3, 4]) {
      const bus = freshBus()
      const env = faultEnv({ call: '*', nth, action: 'stop', match: '.jwz' })
      const slow = start('jwz', ['post', 't', '-m', 'slow'], { cwd: bus.cwd, env, input: '' })
      await stopped(slow.child.pid)
      const other = bus.post('t', 'other')
      slow.child.kill('SIGCONT')
      const { code, stdout, stderr } = await slow.done
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expectSound(bus, 't', [other, stdout.trim()])
    }
  })
})

describe('a post on a full disk', () => {
  it.each<[string, Pick<FaultRule, 'call' | 'action'>, RegExp]>([
    ['takes half of the line', { call: 'writeSync', action: 'short' }, /the disk took \d+/],
    ['takes nothing', { call: 'writeSync', action: 'ENOSPC' }, /the disk answered ENOSPC/],
    ['cannot flush', { call: 'fdatasyncSync', action: 'EIO' }, /the disk answered EIO/],
  ])('that %s exits 1 with one line, and the next post works', (_, rule, message) => {
    const bus = freshBus()
    const first = bus.post('t', 'first')
    const env = faultEnv({ ...rule, nth: 1, match: 't.jsonl' })
    const refused = run('jwz', ['post', 't', '-m', 'refused'], { cwd: bus.cwd, env })
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(message) })
    expect(refused.stderr.trim().split('\n')).toHaveLength(1)
    expectSound(bus, 't', [first, bus.post('t', 'next')])
  })
})
