import { describe, expect, it } from 'vitest'
import { partOfKey } from '../src/text/key-id.ts'

describe('the id of a key', () => {
  it('is the same everywhere, forever: logs and other programs rely on it', () => {
    expect(partOfKey('', 0)).toMatch(/^[0-9a-hjkmnp-tv-z]{12}$/)
    expect([partOfKey('rotate-2025', 0), partOfKey('rotate-2025', 1), partOfKey('github:acme/shop#12', 0)]).toEqual([
      'f5kwrw539frg',
      'ykw3cw7twmze',
      '4qm8pmd6m9mf',
    ])
  })

  it("is no other key's, and looks nothing like it", () => {
    const parts = Array.from({ length: 50_000 }, (_, index) => partOfKey(`beads:bd-${index}`, 0))
    expect(new Set(parts).size).toBe(parts.length)
    // Even beginnings of seven characters, 35 bits, are hardly ever shared by so many: 0.04 pairs are to be expected.
    const beginnings = new Set(parts.map((part) => part.slice(0, 7)))
    expect(parts.length - beginnings.size).toBeLessThan(4)
  })
})
