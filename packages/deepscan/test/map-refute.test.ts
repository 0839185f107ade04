// From what agents find to what stands: a second reader, and all of it in one call.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scaled } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { findingSchema } from '../src/finding/finding.ts'
import { mapPlace } from './map-place.ts'

const lines = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => findingSchema.parse(JSON.parse(line)))

/** Refutes f00, and what stands in f03 only when it is asked again; about f04 it never decides. */
const judge = `const file = /"path":"src\\/(f\\d\\d)/.exec(prompt)?.[1]
const isAgain = /did not begin with one of the two words/.test(prompt)
const shown = /^6\\|   return eval\\(x/m.test(prompt)
const words = { f00: 'refuted\\nNobody calls it.', f03: isAgain ? 'stands\\nLine 6 runs x.' : 'It stands.', f04: 'Hard to say.' }
if (file) console.log(shown ? (words[file] ?? 'stands\\nLine 6 runs x.') : 'refuted\\nNo code was shown.')
else say(evals())`

describe('deepscan verify --refute', () => {
  it('lets nothing become an issue that was not tried to refute, and asks nobody twice', () => {
    const at = mapPlace(5)
    at.agent(
      'finder',
      "say([...evals(), ...(path === 'src/f02.js' ? [{ title: 'Made up', path, line: 2, quote: 'no such code' }] : [])])",
    )
    at.agent('judge', judge)
    expect(at.map('finder').code).toBe(0)
    expect(at.deepscan('export', '--format', 'jsonl')).toMatchObject({
      ...{ code: 0, stdout: '' },
      stderr: '4 findings of agents left out: deepscan verify --refute judges them\n',
    })
    const asked = at.calls().length
    const done = at.deepscan('verify', '--refute', '--with', 'judge', '--jobs', '2', '--backoff', '1ms', '--jsonl')
    expect(done.code).toBe(0)
    expect(done.stderr).toMatch(/^4 findings for judge to refute: about \d+k tokens\n/)
    const said = Object.fromEntries(
      lines(done.stdout).map(({ path, refutation, verification }) => [
        path.slice(4, 7),
        [refutation?.word, verification],
      ]),
    )
    expect(said).toEqual({
      ...{ f00: ['refuted', 'refuted'], f01: ['stands', 'verified'], f02: [undefined, 'ghost'] },
      ...{ f03: ['stands', 'verified'], f04: ['unclear', 'verified'] },
    })
    expect(at.calls()).toHaveLength(asked + 6)
    expect(at.deepscan('verify', '--refute', '--with', 'judge').code).toBe(0)
    expect(at.calls()).toHaveLength(asked + 6)
    expect(at.deepscan('reduce').code).toBe(0)
    const issues = lines(at.deepscan('export', '--format', 'jsonl').stdout)
    expect(issues.flatMap(({ occurrences = [] }) => occurrences.map(({ path }) => path)).sort()).toEqual([
      'src/f01.js',
      'src/f03.js',
    ])
    expect(issues[0]?.refutation).toEqual({ word: 'stands', reason: 'Line 6 runs x.', agent: 'judge' })
  })

  it('keeps each verdict, and stops at the budget', () => {
    const at = mapPlace(2)
    at.agent('finder', 'say(evals())')
    at.agent(
      'dear',
      "console.log(JSON.stringify({ v: 1, text: 'stands', session: null, outcome: 'done', exit_code: 0, usage: null, cost_usd: 1, limit: null, error: null }))",
    )
    expect(at.map('finder').code).toBe(0)
    const refute = (...more: string[]) => at.deepscan('verify', '--refute', '--with', 'dear', '--jobs', '1', ...more)
    expect(refute('--budget-usd', '0.5')).toMatchObject({ code: 9, stderr: expect.stringMatching(/\[DS-404\]\n$/) })
    expect(at.calls()).toHaveLength(3)
    expect(refute().code).toBe(0)
    expect(at.calls()).toHaveLength(4)
    expect(at.deepscan('verify', '--with', 'dear').code).toBe(2)
    expect(at.deepscan('verify', '--refute').stderr).toMatch(/\[DS-402\]\n$/)
  })
})

describe('deepscan run --with', () => {
  it('goes from files to the findings that stand in one call, and says the price before it is spent', () => {
    const at = mapPlace(0, { 'README.md': '# big\n' })
    const count = scaled(300_000) / 100
    mkdirSync(join(at.root, 'lib'))
    for (let number = 0; number < count; number++) {
      const body = Array.from({ length: 98 }, (_, line) => `  total += table[${line}] * ${number}\n`).join('')
      writeFileSync(join(at.root, 'lib', `m${number}.js`), `export function sum${number}(table, total) {\n${body}}\n`)
    }
    writeFileSync(join(at.root, 'lib', 'm7.js'), 'export const run = (x) => eval(x)\n')
    at.agent(
      'both',
      `if (/Try to refute/.test(prompt)) console.log('stands\\nIt runs x.')
else {
  let file
  const found = prompt.split('\\n').flatMap((line) => {
    file = /^FILE "(.*)"$/.exec(line)?.[1] ?? file
    const [, number, code] = /^ *(\\d+)\\| (.*eval\\(.*)$/.exec(line) ?? []
    return number ? [{ title: 'eval runs x', severity: 'high', path: file, line: Number(number), quote: code }] : []
  })
  say(found)
}`,
    )
    const done = at.deepscan(
      'run',
      'lib',
      '--query',
      'What is dangerous?',
      '--with',
      'both',
      '--jsonl',
      '--fail-on',
      'high',
    )
    expect(done.code, done.stderr).toBe(1)
    const [found, ...others] = lines(done.stdout)
    expect(found).toMatchObject({
      path: 'lib/m7.js',
      line: 1,
      verification: 'verified',
      refutation: { word: 'stands' },
    })
    expect(others).toEqual([])
    expect(done.stderr).toMatch(
      /^\d+ chunks? of \d+ files[^\n]*\n\d+ chunks? for both, \d agents? at once: about \d+k tokens, at most \$5\.00\n/,
    )
    const quiet = at.deepscan('run', 'lib', '--query', 'What is dangerous?', '--with', 'both', '--quiet')
    expect(quiet).toMatchObject({ code: 0, stdout: `${found?.id}\n` })
    expect(at.deepscan('run', 'lib', '--with', 'both')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('[DS-003]'),
    })
    expect(at.deepscan('run', 'lib', '--query', 'x')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('[DS-402]'),
    })
  })
})
