import { describe, expect, it } from 'vitest'
import { findLimit } from '../src/limit.ts'
import { envelope, fixture, place } from './place.ts'

const now = Date.parse('2026-11-22T08:00:00Z')
const at = (time: string) => Date.parse(time)

describe('findLimit', () => {
  it.each([
    ['Claude AI usage limit reached|1795348800', at('2026-11-22T12:00:00Z')],
    ["You've hit your session limit · resets 3pm (Europe/Berlin)", at('2026-11-22T14:00:00Z')],
    ["You've hit your session limit · resets 8:30am (Europe/Berlin)", at('2026-11-23T07:30:00Z')],
    ["You've hit your weekly limit · resets Nov 24, 10am (UTC)", at('2026-11-24T10:00:00Z')],
    ['5-hour limit reached ∙ resets Jan 2 at 7am (America/New_York)', at('2027-01-02T12:00:00Z')],
    ['You’ve hit your usage limit. Try again at 11:05 PM (UTC).', at('2026-11-22T23:05:00Z')],
    ['You’ve hit your usage limit or try again in 2 days 4 hours 5 minutes.', now + 187_500_000],
    ['Rate limit reached. Please try again in 6.5s.', now + 6500],
    ['429 RESOURCE_EXHAUSTED. Please retry in 34.07s.', now + 34_070],
    ['You have exhausted your quota. It will reset after 18h20m3s.', now + 66_003_000],
    ['Too Many Requests; retry-after: 30', now + 30_000],
    ['exceeded retry limit, last status: 429 Too Many Requests', null],
    ['limit reached · resets 3pm (Mars/Olympus)', null],
    ['limit reached · resets 25:70 (UTC)', null],
  ])('a rate limit: %s', (message, resetsAt) => {
    expect(findLimit({ message }, now)).toEqual({ kind: 'rate', resets_at: resetsAt })
  })

  it.each([
    ['Invalid API key · Please run /login', 'auth'],
    ['API Error: 401 {"type":"error"}', 'auth'],
    ['unexpected status 401 Unauthorized: Missing bearer', 'auth'],
    ['Credit balance is too low', 'budget'],
    ['Quota exceeded. Check your plan and billing details.', 'budget'],
  ])('%s', (message, kind) => {
    expect(findLimit({ message }, now)).toEqual({ kind, resets_at: null })
  })

  it('none in what is said of other things', () => {
    expect(
      findLimit({ message: 'API Error: 400 messages: text content blocks must be non-empty', status: 400 }, now),
    ).toBe(null)
    expect(findLimit({ message: 'no such file or directory' }, now)).toBe(null)
  })
})

describe('scope run', () => {
  it('tells a failed call of the model from an answer', () => {
    const here = place()
    here.agent('claude', { stdout: fixture('claude-400.out'), after: 'exit 1' })
    const finished = here.scope(['run', '--agent', 'claude', '--json'])
    expect(finished.code).toBe(8)
    expect(envelope(finished)).toMatchObject({
      ...{ outcome: 'failed', text: '', limit: null, session: '5b0c3f0e-93a5-4ad3-9a5f-0f1f8f6f7c11' },
      error: 'API Error: 400 messages: text content blocks must be non-empty',
    })
  })

  it('says when an agent that is out of its limit can go on', () => {
    const here = place()
    here.agent('codex', { stdout: fixture('codex-limit.out'), after: 'exit 1' })
    const finished = here.scope(['run', '--agent', 'codex', '--json'])
    expect(finished.code).toBe(8)
    const { limit, outcome } = envelope(finished)
    expect([limit?.kind, outcome]).toEqual(['rate', 'failed'])
    expect(limit?.resets_at).toBeGreaterThan(Date.now() + 7_000_000)
    expect(finished.stderr).toMatch(/"retryable":true/)
    expect(finished.stderr).toMatch(/try again after 20\d\d-/)
  })

  it('does not ask to try again what only a login lifts', () => {
    const here = place()
    here.agent('claude', { stdout: '{"type":"result","is_error":true,"api_error_status":401,"result":"no"}' })
    const finished = here.scope(['run', '--agent', 'claude', '--json'])
    expect(envelope(finished).limit).toEqual({ kind: 'auth', resets_at: null })
    expect(finished.stderr).toMatch(/log in.*"retryable":false/)
  })
})
