import { describe, expect, it } from 'vitest'
import { identify, threeWordName } from '../src/index.ts'

describe('identify', () => {
  it('takes --as before JWZ_AGENT before the session', () => {
    const env = { JWZ_AGENT: 'bob', TMUX_PANE: '%1' }
    expect(identify({ as: 'ann', env })).toBe('ann')
    expect(identify({ env })).toBe('bob')
    expect(identify({ env: { TMUX_PANE: '%1' } })).toMatch(/^[a-z]+-[a-z]+-[a-z]+$/)
  })

  it('gives a session the same name each time and another pane another', () => {
    expect(identify({ env: {} })).toBe(identify({ env: {} }))
    expect(identify({ env: { TMUX_PANE: '%1' } })).toBe(identify({ env: { TMUX_PANE: '%1' } }))
    expect(identify({ env: { TMUX_PANE: '%1' } })).not.toBe(identify({ env: { TMUX_PANE: '%2' } }))
  })

  it.each(['', '  ', 'a\nb', 'a\u001b[31m', 'x'.repeat(81)])('refuses %j', (as) => {
    expect(() => identify({ as, env: {} })).toThrow(/a name has/)
  })

  it('spreads names over the words', () => {
    const names = new Set(Array.from({ length: 1000 }, (_, key) => threeWordName(`session ${key}`)))
    expect(names.size).toBeGreaterThan(980)
  })
})
