import { full, type Started, scaled } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { serverOfTest } from './nats-server.ts'
import { type Side, side } from './side.ts'
import { countIn, makeForgetfulStream } from './stream.ts'

const topics = ['issue:a', 'issue:b', 'loop:current', 'news', 'Ünï code:x.y']
const rounds = full ? 40 : 10

/** A generator of numbers from 0 to 1 that a failure can be repeated with. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function kill(relay: Started): Promise<unknown> {
  relay.child.kill('SIGKILL')
  return relay.done
}

function postSome({ jwz }: Side, topic: string, count: number): string[] {
  const input = Array.from({ length: count }, (_, at) => `message ${at}\n`).join('')
  const { stdout } = jwz(['post', topic, '--stdin', '--quiet'], { input })
  return stdout.trim().split('\n')
}

describe('two relays of which anything is killed at any time', () => {
  it('leave both stores with the same messages, each once', async () => {
    const random = seeded(Number(process.env['SWITCHYARD_SEED'] ?? 20_251))
    const server = await serverOfTest()
    await makeForgetfulStream(server.url, 'jwz')
    const sides = [side('ann', server.url), side('bob', server.url)]
    const relays = sides.map(({ startRelay }) => startRelay())
    const posted = new Map(topics.map((topic) => [topic, new Set<string>()]))
    const perRound = Math.ceil(scaled(10_000) / rounds)
    for (let round = 0; round < rounds; round++) {
      for (const one of sides) {
        const topic = topics[Math.floor(random() * topics.length)] ?? 'news'
        for (const id of postSome(one, topic, perRound)) posted.get(topic)?.add(id)
        if (round % 4 === 0) posted.get('news')?.add(one.post('news', `${round} `.repeat(200_000)))
      }
      await new Promise((resolve) => setTimeout(resolve, random() * 400))
      const victim = Math.floor(random() * 2)
      const [relay, one] = [relays[victim], sides[victim]]
      if (!relay || !one) throw new Error('no victim')
      if (round === Math.floor(rounds / 2)) {
        await server.kill()
        await server.start()
      } else {
        await kill(relay)
        relays[victim] = one.startRelay()
      }
    }
    await Promise.all(relays.map(kill))
    for (const at of [0, 1, 0]) sides[at]?.sync()
    for (const topic of topics) {
      const expected = [...(posted.get(topic) ?? [])].sort()
      for (const one of sides)
        expect([
          topic,
          one.jwz(['read', topic, '--limit', '1000000', '--quiet']).stdout.trim().split('\n').sort(),
        ]).toEqual([topic, expected])
    }
    const checks = sides.map(({ jwz }) => jwz(['doctor', '--log']))
    expect(checks.map(({ code, stdout }) => [code, /[1-9]\d* (repeated|corrupt)/.exec(stdout)])).toEqual([
      [0, null],
      [0, null],
    ])
    const total = [...posted.values()].reduce((sum, ids) => sum + ids.size, 0)
    expect(await countIn(server.url, 'jwz', 'jwz.topic.>')).toBe(total)
    expect(sides.map(({ relay }) => relay(['--once', '--quiet']))).toEqual(
      sides.map(() => ({ code: 0, signal: null, stdout: '', stderr: '' })),
    )
  })
})
