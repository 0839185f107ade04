import { describe, expect, it } from 'vitest'
import { parseConfig } from '../src/config/read-config.ts'

describe('loop.json', () => {
  it('fills in what is left out', () => {
    expect(parseConfig('{}', 'loop.json')).toMatchObject({ v: 1, review: false, strategy: 'rebase', push: false })
  })

  it.each([
    ['{"verfy": "x"}', 'verfy'],
    ['{"limits": {"time": "soon"}}', 'limits.time'],
    ['{"guard": {"rules": {"a": "never"}}}', 'guard.rules.a'],
    ['[', 'expected JSON'],
  ])('says what is wrong with %s', (text, said) => {
    expect(() => parseConfig(text, 'loop.json')).toThrow(said)
  })
})
