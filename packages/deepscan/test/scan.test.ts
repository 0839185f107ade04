import { expect, test } from 'vitest'
import { locateMatch } from '../src/fix/mend.ts'
import { rules } from '../src/rules/all.ts'
import { scanSource } from '../src/scan/scan.ts'
import { loadParser } from '../src/syntax/parser.ts'
import { scanned } from './scanned.ts'

const parse = await loadParser('python')

function scan(text: string, path = 'src/a.ts') {
  return scanned(scanSource(parse, { path, language: 'typescript', text }, rules))
}

function ids(text: string, path?: string) {
  return scan(text, path).matches.map(({ finding }) => finding.id)
}

test('the id stays when lines move and spaces change', () => {
  const text = 'function f(x) {\n  return x === NaN\n}\n'
  expect(ids(`// new line\n\n${text.replace('x === NaN', 'x   ===\n    NaN')}`)).toEqual(ids(text))
})

test('the id differs by path, by function and by number among equals', () => {
  const text = 'function f(x) {\n  if (x === NaN) g()\n  if (x === NaN) h()\n}\n'
  const all = [...ids(text), ...ids(text, 'src/b.ts'), ...ids(text.replace('f(x)', 'k(x)'))]
  expect(new Set(all).size).toBe(6)
})

test('findings come by place in the file', () => {
  const { matches } = scan("throw 'a'\nif (x === NaN) throw 'b'\n")
  expect(matches.map(({ finding }) => [finding.line, finding.column, finding.rule])).toEqual([
    [1, 1, 'js/throw-literal'],
    [2, 5, 'js/nan-comparison'],
    [2, 16, 'js/throw-literal'],
  ])
})

test('a comment on the line or alone on the line before keeps a finding back', () => {
  expect(ids("throw 'a' // deepscan-ignore\n")).toEqual([])
  expect(ids("// deepscan-ignore js/throw-literal: a test needs it\nthrow 'a'\n")).toEqual([])
  expect(ids("/* deepscan-ignore js/nan-comparison, js/throw-literal */ throw 'a'\n")).toEqual([])
})

test('a comment for another rule, behind other code or of another word keeps nothing back', () => {
  expect(ids("throw 'a' // deepscan-ignore js/nan-comparison\n").length).toBe(1)
  expect(ids("f() // deepscan-ignore\nthrow 'a'\n").length).toBe(1)
  expect(ids("// deepscan-ignore-file\nthrow 'a'\n").length).toBe(1)
  expect(ids("f('deepscan-ignore')\nthrow 'deepscan-ignore'\n").length).toBe(1)
})

test('what breaks the grammar is counted, and the rest is scanned', () => {
  const { matches, syntaxErrors } = scan("if (x === NaN) f()\nconst = = ;\nthrow 'a'\n")
  expect(matches.map(({ finding }) => finding.rule)).toEqual(['js/nan-comparison', 'js/throw-literal'])
  expect(syntaxErrors).toBeGreaterThan(0)
})

test('a rule is given up on a file where it has more candidates than anyone reads', () => {
  const { matches, overflowed } = scan("throw 'a'\n".repeat(5_001))
  expect(matches).toEqual([])
  expect(overflowed).toEqual(['js/throw-literal'])
})

test('a long quote is cut at a whole character, and its end with it', () => {
  const [match] = scan(`throw '${'😀'.repeat(2_000)}'\n`).matches
  expect(match?.finding.quote).toBe(`throw '${'😀'.repeat(996)}`)
  expect(match?.finding.end_column).toBe(2_000)
  expect(match?.finding.offer).toBe(true)
})

test('a source nested deeper than anyone writes is left out', () => {
  const nested = (deep: number) => `${'('.repeat(deep)}x === NaN${')'.repeat(deep)}\n`
  const source = (text: string) => ({ path: 'a.ts', language: 'typescript', text }) as const
  expect(scan(nested(900)).matches.length).toBe(1)
  expect(scanSource(parse, source(nested(100_000)), rules)).toBe('nested too deeply')
  expect(scanSource(parse, source(`x = ${'a || '.repeat(100_000)}a`), rules)).toBe('nested too deeply')
})

test('a finding is found again by its id, else by the nearest equal quote', () => {
  const { matches } = scan('if (x === NaN) f()\n\n\n\nif (x === NaN) g()\n')
  const [first, second] = matches
  if (!first || !second) throw new Error('two findings expected')
  expect(locateMatch(matches, { ...second.finding, line: 1 })).toBe(second)
  expect(locateMatch(matches, { ...first.finding, id: '0'.repeat(20), line: 4 })).toBe(second)
  expect(locateMatch(matches, { ...first.finding, id: '0'.repeat(20), quote: 'y === NaN' })).toBe(undefined)
})
