import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matches } from '../src/text-match.ts'
import { foldText, parseTextQuery } from '../src/text-query.ts'

const fits = (query: string, text: string) => matches(parseTextQuery(query), foldText(text))

describe('a query', () => {
  it.each([
    ['race condition', 'The condition of a RACE', true],
    ['race condition', 'The race', false],
    ['"race condition"', 'a race\n  condition', true],
    ['"race condition"', 'condition: race', false],
    ['auth', 'oauth', true],
    ['auth*', 'oauth', false],
    ['auth*', 'an Author', true],
    ['auth*', 'oauth, author', true],
    ['straße*', 'Straßen', true],
    ['a AND b', 'b a', true],
    ['deadlock OR race', 'a race', true],
    ['a OR b c', 'c b', true],
    ['a OR b c', 'b', false],
    ['(x OR y) c', 'y c', true],
    ['(x OR y) c', 'x y', false],
    ['lock NOT fixed', 'a lock', true],
    ['lock NOT fixed', 'a lock, fixed', false],
    ['NOT NOT lock', 'a lock', true],
    ['NOT (x OR y)', 'z', true],
    ['(("x y") OR z)', 'x y', true],
    ['"NOT"', 'it is not', true],
    ['and', 'or', false],
    ['', 'anything', true],
  ])('%j in %j: %j', (query, text, expected) => {
    expect(fits(query, text)).toBe(expected)
  })

  it.each([
    ...[
      'AND',
      'OR',
      'NOT',
      'x AND',
      'x OR',
      'x NOT',
      '(b',
      'b)',
      '()',
      ') x (',
      'main()',
      'f(a)(b',
      '"',
      '"open',
      'a "',
    ],
    ...['REVIEW:', 'issue:auth-123', 'from:me', '-x', '--no-verify', '*', '*.ts', '[c-d]', '$HOME', '\\n', 'a:"b'],
  ])('takes %j literally, as what has no other meaning there', (query) => {
    expect(fits(query, `before ${query} after`)).toBe(true)
    expect(fits(query, 'something else')).toBe(false)
  })

  it('finds every text by itself when it is quoted, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        if (!text.includes('"')) expect(fits(`"${text}"`, `"${text}"`)).toBe(true)
      }),
    )
  })

  it('is understood, whatever it is', () => {
    const pieces = ['(', ')', '"', ' ', 'AND', 'OR', 'NOT', '*', 'a', 'b:', '-', '\u0130', '\ud83d']
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 30 }), (words) => {
        expect(typeof fits(words.join(''), words.join(' '))).toBe('boolean')
      }),
    )
    for (const piece of ['(', '( ', 'NOT ', '(NOT ', 'a OR ', '"'])
      expect(typeof fits(piece.repeat(20_000), 'a')).toBe('boolean')
  })
})
