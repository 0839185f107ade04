import { scaled } from '@switchyard/testkit'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Finding } from '../src/finding/finding.ts'
import { groupFindings, groupings } from '../src/reduce/group.ts'
import { prepare } from '../src/reduce/prepare.ts'
import { type ReduceSettings, reduceFindings } from '../src/reduce/reduce.ts'
import { defaultWeights } from '../src/reduce/weights.ts'
import { wordingOf } from '../src/reduce/words.ts'
import { aFinding } from './findings.ts'
import { families, pairScores } from './reduce-families.ts'

function reduced(findings: readonly Finding[], over: Partial<ReduceSettings> = {}) {
  const settings = { by: groupings, threshold: 0.7, minConfidence: 'low', query: undefined, weights: defaultWeights }
  return reduceFindings(findings, { ...settings, ...over } as ReduceSettings)
}

test('W20: equal titles at two places are one finding with two occurrences, in whatever order they come', () => {
  const [a, b] = [aFinding(), aFinding({ path: 'src/b.ts', line: 7, end_line: 7 })]
  const places = [
    { path: 'src/a.ts', line: 1 },
    { path: 'src/b.ts', line: 7 },
  ]
  for (const order of [
    [a, b],
    [b, a],
  ]) {
    const { findings, totals } = reduced(order)
    expect(findings.map(({ occurrences }) => occurrences)).toMatchObject([places])
    expect(totals).toMatchObject({ given: 2, unique: 1, places: 2 })
  }
  expect(reduced([a, b], { by: ['location'] }).findings.length).toBe(2)
})

test('W20: paraphrases at one place are said once, two defects at one place are two', () => {
  const first = aFinding({ title: 'SQL injection in the login query' })
  const same = aFinding({ title: 'The login query is open to SQL injection', agent: 'codex', confidence: 'high' })
  const other = aFinding({ title: 'The connection is never given back to its pool', category: 'reliability' })
  const { findings } = reduced([first, same, other])
  expect(findings.map(({ id, support, occurrences }) => [id, support, occurrences?.length])).toEqual([
    [same.id, 2, 1],
    [other.id, 1, 1],
  ])
  expect(findings[0]?.score).toEqual({ base: 0.9, verification: 0.6, support: 1.1, relevance: 0, total: 0.594 })
})

test('what one chunk says twice is one voice', () => {
  const twice = [aFinding({ chunk: 'c1' }), aFinding({ chunk: 'c1' })]
  expect(reduced(twice).findings[0]?.support).toBe(1)
})

test('W21: an opposite is a contradiction and no duplicate; words that only look like a denial are none', () => {
  const yes = aFinding({ title: 'The login form is vulnerable' })
  const no = aFinding({ title: 'The login form is not vulnerable' })
  const { findings, totals } = reduced([yes, no])
  expect(findings.map(({ id, contradicts }) => [id, contradicts])).toEqual([
    [yes.id, [no.id]],
    [no.id, [yes.id]],
  ])
  expect(totals.contradictions).toBe(2)
  const casino = [aFinding({ title: 'The casino page leaks names' }), aFinding({ title: 'The page leaks names' })]
  expect(reduced(casino).totals.contradictions).toBe(0)
  expect(reduced([yes, { ...no, path: 'src/b.ts' }]).totals.contradictions).toBe(0)
  const denials = ['No limit on logins', 'Limit on logins is missing', "Logins haven't a limit", 'Unlimited logins']
  expect(denials.map((title) => wordingOf(title).isDenial)).toEqual([true, true, true, true])
})

test('ghosts, refuted findings and unsure ones are left out and counted', () => {
  const ghost = aFinding({ verification: 'ghost' })
  const refuted = aFinding({ verification: 'refuted' })
  const unsure = aFinding({ confidence: 'low', title: 'A name may be misleading' })
  const { findings, totals } = reduced([ghost, refuted, unsure, aFinding()], { minConfidence: 'medium' })
  expect([findings.length, totals.ghosts, totals.unsure]).toEqual([1, 2, 1])
})

test('a source that asks for a second look has that taken from its title', () => {
  const [finding] = reduced([aFinding({ title: 'NEEDS_VERIFICATION: unused export' })]).findings
  expect([finding?.title, finding?.verification_required]).toEqual(['unused export', true])
})

test('what is near to the query comes first, then what is worse and surer, then by place', () => {
  const near = aFinding({ title: 'The cache grows without bounds', severity: 'medium', path: 'z.ts' })
  const bad = aFinding({ title: 'A password is logged', severity: 'high', confidence: 'high' })
  const small = aFinding({ title: 'A constant is computed twice', severity: 'low' })
  const order = (query?: string) => reduced([small, near, bad], { query }).findings.map(({ id }) => id)
  expect(order()).toEqual([bad.id, near.id, small.id])
  expect(reduced([small, near, bad], { query: 'cache bounds' }).findings.map(({ score }) => score?.relevance)).toEqual([
    0, 1, 0,
  ])
  const [x, y] = [aFinding({ title: 'One', line: 9, end_line: 9 }), aFinding({ title: 'Two', line: 10, end_line: 10 })]
  expect(reduced([y, x]).findings.map(({ id }) => id)).toEqual([x.id, y.id])
})

test('labelled families: at least 98 % of the pairs brought together belong together, at least 90 % of those that do are', () => {
  const { findings, familyOf } = families()
  const grouped = groupFindings(prepare(findings), { by: groupings, threshold: 0.7, weights: defaultWeights })
  const groups = grouped.map((places) => places.flat().map(({ finding }) => finding))
  const { precision, recall } = pairScores(groups, familyOf)
  expect(groups.flat().length).toBe(findings.length)
  expect(precision).toBeGreaterThanOrEqual(0.98)
  expect(recall).toBeGreaterThanOrEqual(0.9)
})

test('the order in which findings come changes nothing', () => {
  const { findings } = families()
  const whole = JSON.stringify(reduced(findings))
  const shuffled = fc.shuffledSubarray(findings, { minLength: findings.length, maxLength: findings.length })
  fc.assert(
    fc.property(shuffled, (order) => JSON.stringify(reduced(order)) === whole),
    { numRuns: scaled(100) },
  )
})

test('every finding that comes in is at one of the places that come out', () => {
  const title = fc.constantFrom('A leak', 'No leak', 'SQL injection in query', 'Query with SQL injection', 'Dead code')
  const place = fc.record({ path: fc.constantFrom('a.ts', 'b.ts'), line: fc.integer({ min: 1, max: 6 }), title })
  fc.assert(
    fc.property(fc.array(place, { maxLength: 40 }), (places) => {
      const given = places.map(({ line, ...rest }) => aFinding({ line, end_line: line, ...rest }))
      const kept = reduced(given).findings.flatMap(({ occurrences = [] }) => occurrences)
      const lost = given.filter(({ path, line }) => !kept.some((one) => one.path === path && one.line === line))
      return lost.length === 0
    }),
    { numRuns: scaled(300) },
  )
})
