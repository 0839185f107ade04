import { describe, expect, it } from 'vitest'
import { parseMoment, parseWhen } from '../src/moment.ts'

const now = Date.parse('2026-11-21T12:00:00Z')

describe('dates', () => {
  it.each([
    ['2026-11-20', '2026-11-20T00:00:00Z'],
    ['2026-11-20T08:00:00Z', '2026-11-20T08:00:00Z'],
    ['2026-11-20T08:00', '2026-11-20T08:00:00Z'],
    ['2026-11-20 08:00', '2026-11-20T08:00:00Z'],
    ['2026-11-20T08:00:01.5+02:00', '2026-11-20T06:00:01.500Z'],
    ['2028-02-29', '2028-02-29T00:00:00Z'],
  ])('%s is a moment to come and one that was', (text, moment) => {
    expect(parseWhen(text, now, '--due')).toBe(Date.parse(moment))
    expect(parseMoment(text, now)).toBe(Date.parse(moment))
  })
})

describe('a moment that was', () => {
  it.each([
    ['500ms', now - 500],
    ['90s', now - 90_000],
    ['10m', now - 600_000],
    ['2h', now - 7_200_000],
    ['1d', now - 86_400_000],
  ])('%s', (text, moment) => {
    expect(parseMoment(text, now)).toBe(moment)
  })

  it.each(['', 'yesterday', '10', '1w', '-1h', '2026-13-45', '2026-02-30', '2026-11-20x', '1795000000', 'none'])(
    'is not %j',
    (text) => {
      expect(() => parseMoment(text, now)).toThrow(/--since takes a time ago such as 10m/)
    },
  )
})

describe('a moment to come', () => {
  it('is a time from now, or none', () => {
    expect(parseWhen('3d', now, '--due')).toBe(now + 3 * 86_400_000)
    expect(parseWhen('0s', now, '--due')).toBe(now)
    expect(parseWhen('none', now, '--due')).toBeNull()
  })

  it.each(['', 'tomorrow', '-3d', '2027-02-29', '1969-12-31', 'None', '2026-11-21T25:00'])('is not %j', (text) => {
    expect(() => parseWhen(text, now, '--due')).toThrow(/expected --due to be a time from now such as 2h/)
  })
})
