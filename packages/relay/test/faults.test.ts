import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type FaultRule, faultEnv, full } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { serverOfTest } from './nats-server.ts'
import { type Side, side } from './side.ts'
import { countIn, makeForgetfulStream } from './stream.ts'

/** How many places are tried, spread over all there are. */
const placesMost = full ? 80 : 5

function withFault(one: Side, rule: Pick<FaultRule, 'nth' | 'action'> & { trace?: string }) {
  return one.relay(['--once', '--timeout', '5m'], { env: faultEnv({ call: '*', match: '.jwz/', ...rule }) })
}

describe('a relay killed before any of its calls to the disk', () => {
  it('is finished by the next: nothing is lost, nothing comes twice on either side', async () => {
    const server = await serverOfTest()
    await makeForgetfulStream(server.url, 'jwz')
    const ann = side('ann', server.url)
    const posted = ['short', 'long '.repeat(20_000), 'last'].map((body) => ann.post('t', body))
    ann.sync()

    const first = side('first', server.url)
    posted.push(first.post('t', 'own'))
    const trace = join(first.cwd, 'trace')
    expect(withFault(first, { nth: 1_000_000, action: 'kill', trace })).toMatchObject({ code: 0 })
    const steps = readFileSync(trace, 'utf8').trim().split('\n').length
    const stride = Math.ceil(steps / placesMost)
    expect(steps).toBeGreaterThan(20)

    for (let nth = 1; nth <= steps; nth += stride) {
      const one = side(`at${nth}`, server.url)
      posted.push(one.post('t', `own ${nth}`))
      const killed = withFault(one, { nth, action: 'kill' })
      expect([nth, killed.signal]).toEqual([nth, 'SIGKILL'])
      one.sync()
      const expected = posted.toSorted()
      expect([nth, one.jwz(['read', 't', '--limit', '1000', '--quiet']).stdout.trim().split('\n').sort()]).toEqual([
        nth,
        expected,
      ])
      expect([nth, one.ids('t').sort()]).toEqual([nth, expected])
      expect([nth, one.jwz(['doctor', '--log']).code]).toEqual([nth, 0])
      expect([nth, await countIn(server.url, 'jwz', 'jwz.topic.>')]).toEqual([nth, posted.length])
    }
  })

  it.each(['ENOSPC', 'EIO'] as const)('or told %s says so, and is finished by the next', async (action) => {
    const server = await serverOfTest()
    const [ann, bob] = [side('ann', server.url), side('bob', server.url)]
    const id = ann.post('t', 'x')
    ann.sync()
    const env = faultEnv({ call: 'writeSync', nth: 1, action, match: 'topics/t.jsonl' })
    const failed = bob.relay(['--once', '--timeout', '5m'], { env })
    expect(failed).toMatchObject({ code: 1, stdout: '' })
    expect(failed.stderr).toContain(`the disk answered ${action}`)
    expect(bob.sync()).toBe('level: sent 0, received 1, skipped 0')
    expect(bob.ids('t')).toEqual([id])
  })
})
