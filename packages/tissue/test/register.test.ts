import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { headsOf, type Register, type Write, write } from '../src/log/register.ts'

const ids = ['a', 'b', 'c', 'd', 'e']
const writes: fc.Arbitrary<Write<string>[]> = fc
  .array(
    fc.record({
      seq: fc.nat({ max: 4 }),
      value: fc.constantFrom('red', 'green'),
      replaces: fc.option(fc.subarray(ids), { nil: undefined }),
      isFirst: fc.boolean(),
    }),
    { maxLength: ids.length },
  )
  .map((drafts) => drafts.map((draft, index) => ({ ...draft, id: ids[index] ?? '' })))

function fold(all: readonly Write<string>[]): Register<string> | undefined {
  return all.reduce<Register<string> | undefined>((register, one) => write(register, one), undefined)
}

/** What a reader can see of a register. */
function seen(register: Register<string> | undefined) {
  return { id: register?.id, value: register?.value, heads: headsOf(register).sort() }
}

describe('a register', () => {
  it('is the same whatever the order of the writes', () => {
    fc.assert(
      fc.property(
        writes.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        ([all, shuffled]) => {
          expect(seen(fold(shuffled))).toEqual(seen(fold(all)))
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('keeps writes side by side that did not see each other, until one saw both', () => {
    const first = { id: 'a', seq: 1, value: 'one', replaces: [] }
    const mine = { id: 'b', seq: 2, value: 'mine', replaces: ['a'] }
    // The other clone was busy elsewhere: a larger seq does not mean that it had seen mine.
    const theirs = { id: 'c', seq: 9, value: 'theirs', replaces: ['a'] }
    const both = fold([first, mine, theirs])
    expect(both).toMatchObject({ value: 'theirs', rivals: [{ id: 'b', value: 'mine' }] })
    const settled = write(both, { id: 'd', seq: 10, value: 'settled', replaces: headsOf(both) })
    expect(seen(settled)).toEqual({ id: 'd', value: 'settled', heads: ['d'] })
  })

  it('takes a write that names nothing for one that saw all below it', () => {
    const register = fold([
      { id: 'a', seq: 1, value: 'one' },
      { id: 'b', seq: 2, value: 'two' },
      { id: 'c', seq: 2, value: 'too' },
    ])
    expect(seen(register)).toEqual({ id: 'c', value: 'too', heads: ['b', 'c'] })
  })
})
