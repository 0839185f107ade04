import { isFailure } from '@switchyard/ground/failure'
import { scaled } from '@switchyard/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { comparisonFor, operatorsFor, queryNames } from '../src/query/fields.ts'
import { parseQuery } from '../src/query/parse.ts'
import { compared, conditions, joined, negated, printQuery, type Query } from '../src/query/query.ts'
import { statuses } from '../src/schema/event.check.ts'

function faultOf(text: string): string {
  try {
    parseQuery(text)
  } catch (error) {
    if (isFailure(error)) return `${error.exitCode}: ${error.message}; ${error.hint}`
    throw error
  }
  return 'none'
}

const time = fc.constantFrom('2d', '90m', '2026-11-21', '2026-11-21T08:00:00Z')

function valueFor(field: string) {
  switch (comparisonFor(field)) {
    case 'status':
      return fc.constantFrom(...statuses)
    case 'priority':
      return fc.constantFrom('1', '3', '5')
    case 'duration':
      return fc.constantFrom('2h', '0ms')
    case 'past':
    case 'future':
      return time
    default:
      return fc.string({ minLength: 1 })
  }
}

const comparison = fc.constantFrom(...queryNames, 'meta.area').chain((field) => {
  const kind = comparisonFor(field)
  return fc.constantFrom(...(kind ? operatorsFor(kind) : [])).chain((operator) => {
    const isOrdered = /[<>]/.test(operator)
    return fc
      .array(valueFor(field), { minLength: 1, maxLength: isOrdered ? 1 : 3 })
      .map((values) => compared(field, operator, ...values))
  })
})

const query: fc.Arbitrary<Query> = fc.letrec<{ query: Query }>((tie) => ({
  query: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    comparison,
    fc.constantFrom(...conditions).map((condition): Query => ({ kind: 'is', condition })),
    fc.array(tie('query'), { minLength: 2, maxLength: 4 }).map((of) => joined('all', of)),
    fc.array(tie('query'), { minLength: 2, maxLength: 4 }).map((of) => joined('any', of)),
    tie('query').map(negated),
  ),
})).query

describe('a query', () => {
  it('printed and read again is the same', () => {
    fc.assert(
      fc.property(query, (made) => {
        expect(parseQuery(printQuery(made))).toEqual(made)
      }),
      { numRuns: scaled(5_000) },
    )
  })

  it('is read or refused, whatever the text', () => {
    const piece = fc.constantFrom(
      '(',
      ')',
      'AND',
      'or',
      'NOT',
      ' ',
      'tag:',
      '"',
      "'",
      '\\',
      ',',
      '<=',
      'blocked',
      'x',
      '2d',
    )
    const text = fc.oneof(
      fc.string(),
      fc.array(piece).map((pieces) => pieces.join('')),
    )
    fc.assert(
      fc.property(text, (some) => {
        const fault = faultOf(some)
        expect(fault === 'none' || /^2: expected [^\n]+$/.test(fault)).toBe(true)
      }),
      { numRuns: scaled(20_000) },
    )
  })

  it.each([
    ['priority<=1 AND tag:auth', 'priority<=1 AND tag:auth'],
    ['priority <= 1 tag : auth', 'priority<=1 AND tag:auth'],
    ['a or b', undefined],
    ['status:open,paused or blocked and not held', 'status:open,paused OR (blocked AND NOT held)'],
    ['NOT (ready OR NOT NOT overdue)', 'NOT (ready OR overdue)'],
    ['title:"Fix \\"it\\"" title:\'a b\'', 'title:"Fix \\"it\\"" AND title:"a b"'],
    ['((blocked))', 'blocked'],
  ])('%s', (text, meaning) => {
    if (meaning === undefined) expect(faultOf(text)).toMatch(/^2: expected a field at character 1/)
    else expect(printQuery(parseQuery(text))).toBe(meaning)
  })

  it.each([
    ['', 'expected a field such as status, or a condition such as blocked at character 1 of the query, got the end'],
    ['prioritty<2', 'expected a field at character 1 of the query, got "prioritty<2"; did you mean priority?'],
    ['tag:a AND', 'or a condition such as blocked at character 10 of the query, got the end'],
    ['priority<=', 'expected a value at character 11 of the query, got the end'],
    ['priority<=9', 'expected a priority from 1 to 5 behind priority<= at character 11 of the query, got "9"'],
    ['tag<=a', 'expected one of : = != ~ behind tag at character 4 of the query, got "<=a"'],
    ['tag a', 'expected one of : = != ~ behind tag at character 5 of the query, got "a"'],
    ['status:opne', 'expected a status such as open behind status: at character 8 of the query, got "opne"'],
    ['updated<soon', 'expected a duration such as 2d or a date such as 2026-11-21 behind updated< at character 9'],
    ['(tag:a', 'expected a closing parenthesis at character 7 of the query, got the end'],
    ['tag:a)', 'expected the end, AND or OR at character 6 of the query, got ")"'],
    ['title:"a', 'expected a closing " at character 9 of the query, got the end'],
    ['blocked:yes', 'expected no value, as blocked is true or not, at character 8 of the query, got ":yes"'],
    ['priority<1,2', 'expected one value behind priority< at character 9 of the query, got "<1"'],
  ])('that is wrong points at the place: %s', (text, fault) => {
    expect(faultOf(text)).toContain(fault)
    expect(faultOf(text)).toMatch(/^2: /)
  })

  it('with too many groups or characters is refused', () => {
    expect(faultOf('('.repeat(5_000))).toContain('expected at most 100 groups within each other')
    expect(faultOf('x'.repeat(10_001))).toContain('expected a query of at most 10000 characters, got 10001')
  })
})
