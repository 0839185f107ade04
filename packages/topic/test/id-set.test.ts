import { ulid } from '@switchyard/ground/ulid'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { IdSet } from '../src/id-set.ts'

it('is a set of ids of any kind, also of ones that differ in one bit', () => {
  const digit = fc.constantFrom(...'01VZ')
  const alike = fc.tuple(
    digit.map((first) => (first > '7' ? '7' : first)),
    fc.array(digit, { minLength: 25, maxLength: 25 }),
  )
  const id = fc.oneof(
    alike.map(([first, rest]) => first + rest.join('')),
    fc.nat(9).map(ulid),
    fc.constantFrom('a', 'b'),
  )
  fc.assert(
    fc.property(fc.array(id, { maxLength: 50 }), (ids) => {
      const set = new IdSet()
      const plain = new Set<string>()
      for (const one of [...ids, ...ids]) {
        const isNew = !plain.has(one)
        plain.add(one)
        expect(set.add(one)).toBe(isNew)
      }
    }),
  )
})

it('tells each digit of an id, and keeps all when it grows', () => {
  const set = new IdSet()
  const base = '0'.repeat(26)
  const near = Array.from({ length: 26 }, (_, at) =>
    [...'1234567'].map((digit) => base.slice(0, at) + digit + base.slice(at + 1)),
  )
  const ids = [base, ...near.flat(), ...Array.from({ length: 20_000 }, (_, at) => ulid(at % 7))]
  expect(ids.filter((id) => set.add(id))).toHaveLength(ids.length)
  expect(ids.filter((id) => set.add(id))).toEqual([])
})
