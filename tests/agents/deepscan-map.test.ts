import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Turn } from '@switchyard/model-server/script'
import { tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { agentPlace } from './agent-place.ts'

const count = 20
/** Milliseconds for twenty calls of a client, and more. */
const workMsMax = 900_000
const nameOf = (number: number) => `part${String(number).padStart(2, '0')}.js`
/** Large enough that no two of them share a chunk of two hundred tokens. */
const padding = Array.from({ length: 12 }, (_, line) => `// a line of no interest, number ${line}\n`).join('')
const sources = Array.from({ length: count }, (_, number): [string, string] => [
  `src/${nameOf(number)}`,
  `export const run = (x) => eval(x + ${number})\n${padding}`,
])
const files = Object.fromEntries(sources)

const about = (number: number) => new RegExp(`FILE "src/${nameOf(number).replace('.', '\\.')}"`)
const finding = (number: number) =>
  JSON.stringify({
    ...{ title: 'eval runs its argument', severity: 'high', confidence: 'high', category: 'security' },
    ...{ path: `src/${nameOf(number)}`, line: 1, quote: `eval(x + ${number})`, message: 'It runs what it is given.' },
  })

/** The model cannot know the id of a chunk, and repeats it from the prompt. */
const good = (number: number, when: Turn['when'] = { user: about(number) }): Turn => ({
  when,
  repeat: /\{"chunk": "[0-9a-f]{16}", /,
  text: `"status": "completed", "findings": [${finding(number)}]}`,
})

/** Four parts go wrong first: refused, garbage, half an answer, no answer in time. */
const script = (): Turn[] => [
  { when: { user: /Try to refute the claim[\s\S]*part19/ }, text: 'refuted\nNobody calls it.' },
  { when: { user: /Try to refute the claim/ }, text: 'stands\nLine 1 runs x.', times: count },
  { when: { user: about(3) }, refuse: { status: 429, message: 'rate limit' }, times: 2 },
  { when: { user: about(7) }, text: 'I am sorry.' },
  { when: { user: about(11) }, repeat: /\{"chunk": "[0-9a-f]{16}", /, text: '"status": "comp' },
  { when: { user: about(15) }, text: 'Too late.', waitMs: 60_000 },
  ...Array.from({ length: count }, (_, number) => good(number)),
]

describe('deepscan map', () => {
  it.each(['claude', 'codex'])('asks %s about twenty chunks, whatever goes wrong with four of them', async (agent) => {
    const place = await agentPlace(script(), files)
    const scans = tempFolder('scans')
    place.env['DEEPSCAN_HOME'] = scans
    expect(await place.run('deepscan', ['init', 'src', '--query', 'What is dangerous?'])).toMatchObject({ code: 0 })
    const { stdout: id } = await place.run('deepscan', ['status', '--quiet'])
    const folder = join(scans, 'scans', id.trim())
    const lines = (name: string) =>
      readFileSync(join(folder, name), 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    const chunked = await place.run('deepscan', ['chunk', '--tokens', '200', '--quiet'])
    expect(chunked.stdout.split('\n').filter(Boolean)).toHaveLength(count)

    const flags = ['--with', agent, '--jobs', '2', '--timeout', '30s', '--backoff', '100ms', '--json']
    const mapped = await place.run('deepscan', ['map', ...flags], '', workMsMax)
    expect([mapped.code, mapped.stderr]).toMatchObject([0, expect.anything()])
    expect(JSON.parse(mapped.stdout)).toMatchObject({ outcome: 'done', findings: count, chunks: { completed: count } })
    const causes = lines('events.jsonl')
      .filter(({ type }) => type === 'retry')
      .map(({ cause }) => cause)
    expect(new Set(causes)).toEqual(new Set(['rate', 'invalid', 'timeout']))

    const verified = await place.run(
      'deepscan',
      ['verify', '--refute', '--with', agent, '--jobs', '2', '--json'],
      '',
      workMsMax,
    )
    expect([verified.code, verified.stderr]).toMatchObject([0, expect.anything()])
    const words = JSON.parse(verified.stdout).map(({ refutation }: { refutation: { word: string } }) => refutation.word)
    expect(words.toSorted()).toEqual(['refuted', ...Array(count - 1).fill('stands')])
    const reduced = await place.run('deepscan', ['reduce', '--json'])
    expect(reduced.code).toBe(0)
    expect(JSON.parse(reduced.stdout).totals).toMatchObject({ places: count - 1 })
  })
})
