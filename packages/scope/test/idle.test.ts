import { outOfTime } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { isGone, sessions } from './sessions.ts'

const idleWords = /^nothing was heard of it for (\d+) ms, and (\d+) ms are allowed$/

describe('scope spawn --idle-timeout', () => {
  it('ends an agent of which nothing is heard, with what it started, and says for how long', () => {
    const at = sessions({ act: 'sleep 600 & wait' })
    const hang = (limit: string) => {
      const id = at.spawn('Hang', '--idle-timeout', limit)
      return { id, limit, ...at.wait(id) }
    }
    const { id, limit, code, waited } = outOfTime(hang, (ended) => at.hasHeard(ended.id))
    expect([code, waited.results[0]?.status]).toEqual([1, 'failed'])
    const [, idleMs, allowedMs] = idleWords.exec(waited.results[0]?.exit_reason ?? '') ?? []
    expect(Number(allowedMs)).toBe(Number.parseInt(limit, 10) * 1000)
    expect(Number(idleMs)).toBeGreaterThan(Number(allowedMs))
    expect(isGone(Number(at.heard(id, 'pid')))).toBe(true)
  })

  it('leaves one alone that says something now and then, and one that others work for', () => {
    const at = sessions({ act: 'for turn in 1 2 3 4 5 6 7 8; do echo at work >&2; sleep 1; done' })
    expect(at.wait(at.spawn('Talk', '--idle-timeout', '7s')).code).toBe(0)
    at.agent(
      'if [ $SCOPE_SESSION_ID = 1 ]; then scope spawn Below --wait >/dev/null; else for turn in 1 2 3 4 5 6 7 8; do echo x >&2; sleep 1; done; fi',
    )
    expect(at.wait(at.spawn('Have it done', '--idle-timeout', '7s')).code).toBe(0)
  })

  it('holds for the workers of a loop, and comes from the settings where no flag says another', () => {
    const at = sessions({ act: 'sleep 600' })
    expect(at.scope(['config', 'idle_timeout', '1s'])).toMatchObject({ code: 0, stdout: '1s\n' })
    const { code, waited } = at.wait(at.spawn('Work', '--checker', 'true'))
    expect(code).toBe(1)
    expect(waited.results[0]?.exit_reason).toMatch(/^0-0-do has failed: nothing was heard of it for \d+ ms/)
  })

  it('refuses what is no duration', () => {
    const at = sessions()
    expect(at.scope(['spawn', 'x', '--idle-timeout', 'soon'])).toMatchObject({ code: 2, stdout: '' })
  })
})
