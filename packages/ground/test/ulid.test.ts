import { describe, expect, it } from 'vitest'
import { isUlid, ulid } from '../src/ulid.ts'

describe('ulid', () => {
  it('begins with the time and has the form of a ULID', () => {
    expect(ulid(0)).toMatch(/^0{10}/)
    expect(ulid(1_469_918_176_385)).toMatch(/^01ARYZ6S41/)
    expect(isUlid(ulid(1_700_000_000_000))).toBe(true)
  })

  it('is never the same twice within a millisecond', () => {
    const ids = Array.from({ length: 50_000 }, () => ulid(1))
    expect(new Set(ids).size).toBe(50_000)
  })
})
