import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { envelope, fixture, place } from './place.ts'
import { until } from './sessions.ts'

/** An agent that is out of its rate the first `times` times; each time it says `when`. */
function limited(times: number, when: string) {
  const at = place()
  const calls = join(at.root, 'calls')
  const line = `{"type":"turn.failed","error":{"message":"Rate limit reached. ${when}"}}`
  at.agent('codex', {
    after: `echo x >>'${calls}'; if [ $(wc -l <'${calls}') -gt ${times} ]; then cat '${at.root}/good'; else echo '${line}'; exit 1; fi`,
  })
  return {
    ...at,
    good: (text: string) => writeFileSync(join(at.root, 'good'), text),
    calls: () => readFileSync(calls, 'utf8').length / 2,
  }
}

describe('scope run --retries', () => {
  it('waits until the limit is lifted, and asks again', () => {
    const at = limited(2, 'Please try again in 1s.')
    at.good(fixture('codex.out'))
    const finished = at.scope(['run', '--agent', 'codex', '--retries', '3', '--json'])
    expect(finished.code).toBe(0)
    expect(envelope(finished)).toMatchObject({ outcome: 'done', tries: 3, limit: null })
    expect(finished.stderr).toBe('scope: codex is out of its rate; it is asked again in 1s\n'.repeat(2))
    expect(at.calls()).toBe(3)
  })

  it('gives up after so many tries, and without --retries after the first', () => {
    const at = limited(9, 'Please try again in 1s.')
    const finished = at.scope(['run', '--agent', 'codex', '--retries', '1', '--json'])
    expect([finished.code, envelope(finished).tries, at.calls()]).toEqual([8, 2, 2])
    expect(envelope(finished).limit?.kind).toBe('rate')
    const once = at.scope(['run', '--agent', 'codex', '--json'])
    expect([once.code, envelope(once).tries, at.calls()]).toEqual([8, 1, 3])
  })

  it('does not wait for what comes after its time', () => {
    const at = limited(9, 'Please try again in 2 hours.')
    const finished = at.scope(['run', '--agent', 'codex', '--retries', '5', '--timeout', '1h', '--json'])
    expect([finished.code, envelope(finished).tries, at.calls()]).toEqual([8, 1, 1])
    expect(finished.stderr).toMatch(/try again after 20/)
  })

  it('asks once where waiting does not help', () => {
    const at = place()
    at.agent('claude', { stdout: '{"type":"result","is_error":true,"api_error_status":401,"result":"no"}' })
    const finished = at.scope(['run', '--agent', 'claude', '--retries', '5', '--json'])
    expect([finished.code, envelope(finished).tries]).toEqual([8, 1])
  })

  it('ends at once when it is stopped while it waits', async () => {
    const at = limited(9, 'Please try again in 2 hours.')
    const started = at.start(['run', '--agent', 'codex', '--retries', '5', '--timeout', '5h'], 'go')
    let said = ''
    started.child.stderr?.on('data', (chunk) => {
      said += String(chunk)
    })
    await until(() => said.includes('asked again in 2h'), 'the wait')
    started.child.kill('SIGTERM')
    expect((await started.done).code).toBe(143)
  })
})

describe('scope run --progress', () => {
  it('passes on what the agent says on stderr while it works, and leaves stdout alone', () => {
    const at = place()
    at.agent('aider', { after: 'printf "Retrying\\rattempt 2\\n" >&2; echo answer; printf "half" >&2' })
    expect(at.scope(['run', '--agent', 'aider', '--progress'])).toMatchObject({
      ...{ code: 0, stdout: 'answer\n', stderr: 'aider: Retrying\naider: attempt 2\n' },
    })
    expect(at.scope(['run', '--agent', 'aider'])).toMatchObject({ code: 0, stdout: 'answer\n', stderr: '' })
  })

  it('does so before the agent has ended', async () => {
    const at = place()
    at.agent('aider', { after: 'echo one >&2; sleep 600' })
    const started = at.start(['run', '--agent', 'aider', '--progress'], 'go')
    let said = ''
    started.child.stderr?.on('data', (chunk) => {
      said += String(chunk)
    })
    await until(() => said === 'aider: one\n', 'its words')
    started.child.kill('SIGTERM')
    expect((await started.done).code).toBe(143)
  })
})
