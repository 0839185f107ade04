import { scaled } from '@switchyard/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openBudget } from '../src/shell/budget.ts'
import { fitsPath, fitsStars } from '../src/shell/glob.ts'

const free = () => undefined

describe('a pattern', () => {
  /** Answers by trying everything. */
  function slowly(path: string, pattern: string): boolean {
    if (pattern === '') return path === ''
    const [sign = '', rest] = [pattern[0], pattern.slice(1)]
    if (sign === '*') return slowly(path, rest) || (path !== '' && path[0] !== '/' && slowly(path.slice(1), pattern))
    if (path === '') return false
    const set = /^\[([!^]?)(\]?[^\]/]*)\]/.exec(pattern)
    if (set?.[2]) {
      const isIn = set[2].includes(path[0] ?? '')
      return path[0] !== '/' && isIn !== (set[1] !== '') && slowly(path.slice(1), pattern.slice(set[0].length))
    }
    return (sign === '?' ? path[0] !== '/' : sign === path[0]) && slowly(path.slice(1), rest)
  }

  const path = fc.string({ unit: fc.constantFrom('a', 'b', '/', '.'), maxLength: 8 })
  const pattern = fc
    .array(fc.constantFrom('a', 'b', '/', '.', '*', '?', '[a]', '[!a]', '[^.b]', '[ab]', '[]a]'), { maxLength: 8 })
    .map((parts) => parts.join(''))

  it('takes what a shell takes', () => {
    fc.assert(
      fc.property(path, pattern, (text, of) => {
        expect([text, of, fitsPath(text, of, free)]).toEqual([text, of, slowly(text, of)])
      }),
      { numRuns: scaled(50_000) },
    )
    expect(['c', 'a-c', '-', ']', 'x'].map((text) => fitsPath(text, '[a-c-]', free))).toEqual([
      true,
      false,
      true,
      false,
      false,
    ])
    expect([fitsPath('[a', '[a', free), fitsPath('x', '[[:alpha:]]', free), fitsPath('é', '?', free)]).toEqual([
      true,
      true,
      true,
    ])
    expect([fitsStars('release/1.0', 'release/*', free), fitsStars('a/b', '*?*', free)]).toEqual([true, false])
  })

  it('costs its length times that of the name at the most', () => {
    for (const of of ['*[!.]'.repeat(30), '*a'.repeat(50), '*'.repeat(200), '[a-'.repeat(80)]) {
      let steps = 0
      const count = (taken = 1) => {
        steps += taken
      }
      expect(fitsPath('a'.repeat(200), `${of}Q`, count) || fitsStars('a'.repeat(200), `${of}Q`, count)).toBe(false)
      expect(steps).toBeLessThan(4 * 200 * of.length)
    }
  })
})

describe('a budget', () => {
  it('ends with its steps, whatever the clock says, and with its time, looked at every now and then', () => {
    const counted = openBudget(() => 0, 10)
    counted(10)
    expect(() => counted()).toThrow('10 steps')
    let now = 0
    const timed = openBudget(() => now)
    now = 3000
    timed(100)
    expect(() => timed(5000)).toThrow('2000 ms')
  })
})
