import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { bin, cleanEnv, faultEnv, type Started, start, stopped } from '@switchyard/testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { freshBus } from './bus.ts'

const running: Started[] = []

function following(cwd: string, ...args: string[]): Started {
  const started = start('jwz', ['follow', ...args], { cwd, env: { JWZ_AGENT: 'ann' } })
  running.push(started)
  return started
}

afterEach(() => {
  for (const { child } of running.splice(0)) child.kill('SIGKILL')
})

/** Posts to `warm` until the follower has printed one of them, so that what comes next is live. */
async function untilLive(bus: ReturnType<typeof freshBus>, follower: Started) {
  while (!follower.stdout().includes('are you there')) {
    if (follower.child.exitCode !== null) throw new Error(`it ended: ${follower.stderr()}`)
    bus.post('warm', 'are you there')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

function bodiesAfterWarmUp(follower: Started): string[] {
  return follower
    .stdout()
    .split('\n')
    .filter((line) => line !== '' && !line.includes('are you there'))
    .map((line) => line.split(': ').slice(1).join(': '))
}

describe('jwz follow', () => {
  it('prints what comes on any topic, also on those that come later, a line each', async () => {
    const bus = freshBus()
    bus.post('old', 'before')
    const follower = following(bus.cwd)
    await untilLive(bus, follower)
    const { at } = JSON.parse(bus.jwz(['post', 'old', '-m', 'live\r\nand more', '--json', '--as', 'bob']).stdout)
    bus.post('new:topic:deep', 'first of it')
    await follower.waitFor(/first of it/)
    expect(follower.stdout()).toContain(`${new Date(at).toISOString()} old bob: live (+1 line)\n`)
    expect(bodiesAfterWarmUp(follower)).toEqual(['live (+1 line)', 'first of it'])
  })

  it('takes topics, patterns and a sender; two followers see the same', async () => {
    const bus = freshBus()
    const followers = [
      following(bus.cwd, 'issue:*', 'warm', 'one', '--from', 'ann', '--count', '4', '--limit', '1', '--json'),
      following(bus.cwd, 'issue:*', 'warm', 'one', '--from', 'ann'),
    ]
    for (const follower of followers) await untilLive(bus, follower)
    bus.post('issue:1', 'a')
    bus.post('other', 'no')
    bus.post('one', 'no', '--as', 'bob')
    bus.post('one', 'b')
    bus.post('one:below', 'no')
    bus.post('issue:2:x', 'c')
    await followers[1]?.waitFor(/: c\n/)
    expect(followers[1] && bodiesAfterWarmUp(followers[1])).toEqual(['a', 'b', 'c'])
    const counted = await followers[0]?.done
    expect(counted).toMatchObject({ code: 0, stderr: '' })
    const lines = counted?.stdout.trim().split('\n') ?? []
    expect(lines).toHaveLength(4)
    expect(lines.map((line) => JSON.parse(line).from)).toEqual(['ann', 'ann', 'ann', 'ann'])
  })

  it('begins with the newest --limit by their times, and ends after --count', () => {
    const bus = freshBus()
    for (const [topic, body] of [
      ['a', '1'],
      ['b', '2'],
      ['a', '3'],
      ['c', '4'],
    ] as const)
      bus.post(topic, body)
    const { code, stdout } = bus.jwz(['follow', '--limit', '3', '--count', '3'])
    expect(code).toBe(0)
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.split(' ').slice(1).join(' ')),
    ).toEqual(['b ann: 2', 'a ann: 3', 'c ann: 4'])
    expect(bus.jwz(['follow', 'c', 'a', '--limit', '9', '--count', '3', '-q']).stdout.trim().split('\n')).toHaveLength(
      3,
    )
  })

  it('misses and doubles nothing while the topic is sealed', async () => {
    const bus = freshBus()
    bus.post('t', 'before')
    const follower = following(bus.cwd, 't', 'warm')
    await untilLive(bus, follower)
    for (let round = 0; round < 6; round++) {
      bus.post('t', `${round} a`)
      const ulid = `01KAH5T5A9Q3VX0W8ZK4M2N${String(round).padStart(3, '0')}`
      renameSync(bus.file('t'), bus.file('t').replace(/jsonl$/, `${ulid}.jsonl`))
      bus.post('t', `${round} b`)
    }
    await follower.waitFor(/: 5 b\n/)
    expect(bodiesAfterWarmUp(follower)).toEqual([0, 1, 2, 3, 4, 5].flatMap((round) => [`${round} a`, `${round} b`]))
    expect(JSON.parse(bus.jwz(['read', 't', '--json']).stdout)).toHaveLength(13)
    expect(bus.jwz(['topic', 'list', '-q']).stdout).toBe('t\nwarm\n')
  })

  it('misses and doubles nothing that comes between what is there and what comes', async () => {
    for (let step = 1; step <= 20; step++) {
      const bus = freshBus()
      bus.post('t', 'before')
      const env = faultEnv({ call: '*', nth: step, action: 'stop', match: '/topics' })
      const follower = start('jwz', ['follow', '--limit', '9', '--count', '4'], { cwd: bus.cwd, env })
      running.push(follower)
      await stopped(follower.child.pid)
      bus.post('t', 'during')
      bus.post('new', 'during, too')
      follower.child.kill('SIGCONT')
      await follower.waitFor(/during, too\n/)
      bus.post('t', 'after')
      const bodies = (await follower.done).stdout.split('\n').map((line) => line.split(': ')[1])
      expect(bodies.sort()).toEqual(['after', 'before', 'during', 'during, too', undefined])
    }
  })

  it('shows what printf appends, and waits for the end of a line that is cut', async () => {
    const bus = freshBus()
    const follower = following(bus.cwd)
    await untilLive(bus, follower)
    mkdirSync(dirname(bus.file('by:hand')), { recursive: true })
    const line = '{"v":1,"id":"h-1","at":1,"topic":"by:hand","from":"sh","body":"by hand"}\n'
    writeFileSync(bus.file('by:hand'), line.slice(0, 30))
    bus.post('warm', 'not yet')
    await follower.waitFor(/not yet/)
    appendFileSync(bus.file('by:hand'), line.slice(30))
    await follower.waitFor(/by hand\n/)
    expect(bodiesAfterWarmUp(follower)).toEqual(['not yet', 'by hand'])
  })

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends quietly on %s with %i', async (signal, code) => {
    const bus = freshBus()
    const follower = following(bus.cwd)
    await untilLive(bus, follower)
    follower.child.kill(signal)
    expect(await follower.done).toMatchObject({ code, signal: null, stderr: '' })
  })

  it('ends quietly with 0 when its reader goes', () => {
    const bus = freshBus()
    for (let count = 0; count < 3; count++) bus.post('t', `message ${count}`)
    const command = `node ${bin('jwz')} follow --limit 3 --count 3 | head -1; echo "\${PIPESTATUS[0]}"`
    const { stdout, stderr } = spawnSync('bash', ['-c', command], { cwd: bus.cwd, env: cleanEnv(), encoding: 'utf8' })
    expect(stdout).toMatch(/message 0\n0\n$/)
    expect(stderr).toBe('')
  })
})
