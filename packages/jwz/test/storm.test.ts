import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { scaled, start } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { freshBus, ok } from './bus.ts'
import { startSealer } from './sealer.ts'

const writers = 100
const rounds = scaled(20)

/**
 * All writers at once, each its own process; the ids they printed, which must have been acknowledged with exit 0 and
 * not a word.
 */
async function storm(cwd: string, round: number): Promise<string[]> {
  const started = Array.from({ length: writers }, (_, n) =>
    start('jwz', ['post', 'storm', '-m', `${round}/${n}`], { cwd, input: '' }),
  )
  const finished = await Promise.all(started.map(({ done }) => done))
  const ids = finished.map(({ stdout }) => stdout.trim())
  expect(finished).toEqual(ids.map((id) => ok(`${id}\n`)))
  return ids
}

/** Every message once, each with the id that its writer was told, every line valid. */
function expectAll(bus: ReturnType<typeof freshBus>, ids: readonly string[]) {
  const read: { id: string; body: string }[] = JSON.parse(
    bus.jwz(['read', 'storm', '--limit', '5000', '--json']).stdout,
  )
  expect(read.map(({ id }) => id).sort()).toEqual([...ids].sort())
  const bodies = Array.from({ length: rounds * writers }, (_, at) => `${Math.floor(at / writers)}/${at % writers}`)
  expect(read.map(({ body }) => body).sort()).toEqual(bodies.sort())
  expect(bus.jwz(['doctor', 'storm'])).toEqual(ok(`storm: ${ids.length} records, 0 torn, 0 repeated, 0 corrupt\n`))
}

describe('a storm of posts', () => {
  it(`has each of ${writers} messages once in each of ${rounds} rounds`, async () => {
    const bus = freshBus()
    const ids: string[] = []
    for (let round = 0; round < rounds; round++) ids.push(...(await storm(bus.cwd, round)))
    expectAll(bus, ids)
    expect(bus.records('storm')).toHaveLength(rounds * writers)
  })

  it('loses and doubles none while the topic is sealed in a loop', async () => {
    const bus = freshBus()
    bus.jwz(['init'])
    mkdirSync(dirname(bus.file('storm')), { recursive: true })
    const sealing = startSealer(bus.file('storm'))
    let output = ''
    for (const stream of [sealing.stdout, sealing.stderr]) stream?.on('data', (text: Buffer) => (output += text))
    const ended = new Promise((resolve) => sealing.on('close', resolve))
    const ids: string[] = []
    for (let round = 0; round < rounds; round++) ids.push(...(await storm(bus.cwd, round)))
    sealing.stdin?.end()
    await ended
    expect(output).toMatch(/^\d+\n$/)
    expect(Number(output)).toBeGreaterThan(rounds)
    expectAll(bus, ids)
  })
})
