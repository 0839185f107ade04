import { run } from '@switchyard/testkit'
import { describe, expect, test } from 'vitest'
import { place } from './place.ts'

describe('loop start', () => {
  test('in a session binds the task to it', () => {
    const { root } = place()
    const env = { CLAUDE_CODE_SESSION_ID: 'abc' }
    const finished = run('loop', ['start', 'Do it', '--check', 'true', '--json'], { cwd: root, env })
    expect(finished.code).toBe(0)
    expect(JSON.parse(finished.stdout)).toMatchObject({ session: { host: 'claude', id: 'abc' }, claim: null })
  })

  test('outside of one prints what an agent has to say', () => {
    const { root } = place()
    const finished = run('loop', ['start', 'Do it'], { cwd: root })
    expect(finished.stdout).toMatch(/takes it on: loop-claim-[0-9a-z]{26}\n/)
  })

  test.each([
    [[], '--issue ID, got none'],
    [['x', '-F', 'y'], '--issue ID, got several'],
    [['x', '--session', 'vim:1'], '--session to be HOST:ID'],
    [['x', '--session', 'claude:'], '--session to be HOST:ID'],
  ])('%j is refused', (args, message) => {
    const { root } = place()
    const finished = run('loop', ['start', ...args], { cwd: root })
    expect(finished).toMatchObject({ code: 2, stdout: '' })
    expect(finished.stderr).toContain(message)
  })
})
