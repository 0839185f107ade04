import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { mapSummarySchema } from '../src/map/map-summary.ts'
import { eventSchema } from '../src/store/event-schema.ts'
import { resultSchema } from '../src/store/result-schema.ts'
import { type MapPlace, mapPlace } from './map-place.ts'

/** The last result of each file's chunk. */
function resultsByName(at: MapPlace): Record<string, z.infer<typeof resultSchema>> {
  const chunks = new Map(at.lines('chunks.jsonl').map((chunk) => [chunk['id'], chunk]))
  return Object.fromEntries(
    at.lines('results.jsonl').map((line) => {
      const result = resultSchema.parse(line)
      const spans = z.array(z.object({ path: z.string() })).parse(chunks.get(result.chunk)?.['spans'])
      return [spans[0]?.path ?? '', result]
    }),
  )
}

describe('deepscan map', () => {
  it('asks an agent about each chunk, several at once, and keeps its findings with their true places (W1)', () => {
    const at = mapPlace(4)
    at.agent('good', 'say(evals())')
    const done = at.map('good', '--jobs', '2', '--json')
    expect(done).toMatchObject({ code: 0 })
    const summary = mapSummarySchema.parse(JSON.parse(done.stdout))
    expect(summary).toMatchObject({
      ...{ outcome: 'done', reason: null, findings: 3, cost_usd: 0, escalations: 0 },
      chunks: { total: 4, completed: 4, partial: 0, failed: 0, pending: 0 },
    })
    expect(summary.tokens).toBeGreaterThan(1000)
    expect(done.stderr).toMatch(/^4 chunks for good, 2 agents at once: about \d+k? tokens, at most \$5\.00\n/)
    expect(at.lines('findings.jsonl')[0]).toMatchObject({
      ...{ rule: 'agent/general', title: 'eval runs its argument', severity: 'high', category: 'security' },
      ...{ line: 6, column: 3, end_line: 6, quote: expect.stringMatching(/^return eval\(x \+ \d\)$/) },
      ...{ analyser: 'agent', agent: 'good', fixable: false, language: 'javascript' },
    })
    const types = at.lines('events.jsonl').map((line) => eventSchema.parse(line).type)
    expect(new Set(types.slice(2))).toEqual(
      new Set([
        'session_start',
        'phase',
        'batch_start',
        'chunk_start',
        'cost',
        'finding',
        'chunk_complete',
        'batch_end',
        'session_end',
      ]),
    )
    expect(types.filter((type) => type === 'batch_end')).toHaveLength(2)
    const [first] = at.calls()
    expect(first?.['cwd']).toMatch(/agents\/[01]$/)
    expect(readdirSync(join(at.folder, 'agents')).sort()).toEqual(['0', '1'])

    const again = at.map('good')
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('4 of 4 chunks analysed, 3 findings') })
    expect(at.calls()).toHaveLength(4)
    expect(JSON.parse(at.deepscan('status', '--json').stdout)).toMatchObject({ progress: 100, findings: 3 })
    expect(at.map('good', '--only', 'all').code).toBe(0)
    expect(at.calls()).toHaveLength(8)
    // W3: a second result of a chunk takes the place of the first.
    expect(JSON.parse(at.deepscan('status', '--json').stdout)).toMatchObject({ progress: 100, findings: 3 })
  })

  it('makes of whatever an agent does an event and an end (W25)', () => {
    const names = [
      ...['control', 'crash', 'crash-once', 'fail', 'fenced', 'garbage', 'garbage-once', 'half', 'huge', 'marker'],
      ...['more', 'rate-once', 'status', 'strange-path', 'twice', 'unable', 'wrong-chunk'],
    ]
    const at = mapPlace(0, Object.fromEntries(names.map((name) => [`${name}.js`, `eval(1) // ${name}\n`])))
    at.agent(
      'wild',
      `const first = attempt === 1
const acts = {
  control: () => say([{ ...evals()[0], title: '\\u001b]0;x\\u0007Bad\\u001b[2J' }]),
  crash: () => { console.error('out of memory'); process.exit(1) },
  'crash-once': () => first ? process.kill(process.pid, 'SIGKILL') : say(evals()),
  fail: () => say([], { status: 'failed' }),
  fenced: () => console.log('Sure!\\n\`\`\`json\\n' + answer(evals()) + '\\n\`\`\`\\nAnything else?'),
  garbage: () => console.log('I am sorry.'),
  'garbage-once': () => first ? console.log('I am sorry.') : /could not be used: expected one JSON object/.test(prompt) && say(evals()),
  half: () => console.log(answer(evals()).slice(0, 80)),
  huge: () => process.stdout.write('x'.repeat(6_000_000)),
  marker: () => console.log(answer(evals()) + '\\nFINAL({"a": "})"})'),
  more: () => first ? console.log('NEEDS_MORE("who calls it?")') : say([], { status: 'partial', missing_info: ['callers'] }),
  'rate-once': () => { if (first) { console.error('429 Too Many Requests'); process.exit(1) } say(evals()) },
  status: () => say([], { status: 'pending' }),
  'strange-path': () => say([...evals(), { ...evals()[0], path: '/etc/passwd' }]),
  twice: () => say([...evals(), ...evals()]),
  unable: () => console.log('UNABLE("it is beyond me")'),
  'wrong-chunk': () => say([], { chunk: '0'.repeat(16) }),
}
acts[path.slice(0, -3)]()`,
    )
    const done = at.map('wild', '--retries', '1', '--jobs', '4')
    expect(done).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^9 of 17 chunks analysed, 2 of them in part, 8 failed, 9 findings; /),
    })
    expect(done.stderr).toContain('next: deepscan map --only failed --with RUNNER, for the 8 that failed')
    const ends = Object.fromEntries(
      Object.entries(resultsByName(at)).map(([name, { status, error, attempt, findings }]) => {
        return [name.slice(0, -3), [status, attempt, findings, ...(error === null ? [] : [error.code, error.message])]]
      }),
    )
    expect(ends).toEqual({
      control: ['completed', 1, 1],
      crash: ['failed', 2, 0, 'DS-205', 'exit 1: out of memory'],
      'crash-once': ['completed', 2, 1],
      fail: ['failed', 1, 0, 'DS-205', 'the agent says that it failed'],
      fenced: ['completed', 1, 1],
      garbage: ['failed', 2, 0, 'DS-104', 'expected one JSON object, got text without any'],
      'garbage-once': ['completed', 2, 1],
      half: ['failed', 2, 0, 'DS-104', 'expected one whole JSON object, got one that is cut off or no JSON'],
      huge: ['failed', 2, 0, 'DS-104', 'expected at most 4000000 bytes, got more'],
      marker: ['completed', 1, 1],
      more: ['partial', 2, 0],
      'rate-once': ['completed', 2, 1],
      status: ['failed', 2, 0, 'DS-104', expect.stringContaining('status: Invalid option')],
      'strange-path': ['partial', 2, 1, 'DS-204', 'findings[1].path: expected a file of this part, got /etc/passwd'],
      twice: ['completed', 1, 2],
      unable: ['failed', 1, 0, 'DS-205', 'the agent is unable: it is beyond me'],
      'wrong-chunk': [
        'failed',
        2,
        0,
        'DS-104',
        expect.stringMatching(/^expected "chunk": "[0-9a-f]{16}", got "0{16}"$/),
      ],
    })
    const causes = at.events('retry').map(({ cause }) => cause)
    expect(new Set(causes)).toEqual(new Set(['crash', 'invalid', 'rate', 'more']))
    expect(at.lines('findings.jsonl').map(({ title }) => title)).toContain('Bad')
    expect(readFileSync(join(at.folder, 'findings.jsonl'), 'utf8')).not.toContain('\\u001b')

    expect(at.map('wild').stdout).toMatch(/^9 of 17 chunks analysed/)
    const asked = at.calls().length
    at.agent('wild', 'say(evals())')
    expect(at.map('wild', '--only', 'failed')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^17 of 17 chunks/),
    })
    expect(at.calls()).toHaveLength(asked + 8)
  })

  it('ends as the one code that all of it failed for, and at once where there is no such agent', () => {
    const at = mapPlace(2)
    const ends = {
      'DS-104': 'console.log("no")',
      'DS-205': 'process.exit(4)',
      'DS-503': 'setInterval(() => {}, 1000)',
      'DS-504': 'console.log("rate limit"); process.exit(1)',
    }
    for (const [code, body] of Object.entries(ends)) {
      at.agent('bad', body)
      const limit = code === 'DS-503' ? ['--timeout', '1s', '--retries', '1'] : ['--retries', '0']
      const done = at.map('bad', '--only', 'all', ...limit)
      expect(done.stderr.trimEnd().split('\n').at(-1), code).toMatch(new RegExp(`^deepscan: .* \\[${code}\\]$`))
      expect(done.code, code).toBe(code === 'DS-503' ? 124 : 8)
    }
    expect(at.events('retry').map(({ cause }) => cause)).toContain('timeout')
    const results = at.lines('results.jsonl').length
    const missing = at.map('no-such-agent', '--only', 'all')
    expect(missing).toMatchObject({ code: 8, stdout: '' })
    expect(missing.stderr).toContain('expected to run no-such-agent')
    expect(at.lines('results.jsonl')).toHaveLength(results)
    expect(at.events('session_end').at(-1)).toMatchObject({ outcome: 'failed' })
  })
})
