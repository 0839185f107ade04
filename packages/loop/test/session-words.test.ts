import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git, run } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { hasHeardAll } from '../src/work/continuation.ts'
import { hook } from './hook-fixture.ts'
import { ok, place, show } from './place.ts'
import { answered, sessionAt } from './session-place.ts'

const done = '<loop-done>done</loop-done>'

describe('what the agent and the person read in the terminal', () => {
  it('is all of it the first time, then what failed and how it ends', () => {
    const here = place()
    const { loop, stop } = sessionAt(here, 's-1')
    ok(loop('start', 'Write b.txt\nwith much care', '--check', 'echo no b; test -f b.txt', '--max', '9'))
    expect(answered(stop('so far')).block).toMatch(/## The task\nWrite b\.txt\nwith much care\n[\s\S]*## How it ends/)
    expect(answered(stop(done)).block).toBe(
      'Iteration 3 of 9. Go on with Write b.txt\n\n' +
        'the verify command failed: `echo no b; test -f b.txt` exited with 1: no b\n\n' +
        'How it ends: loop signal done; then this decides: echo no b; test -f b.txt. Else: loop signal nothing, or stuck --note WHY.\n',
    )
    ok(here.loop('steer', 'mind the tests', '--as', 'eve'))
    expect(answered(stop('')).block).toMatch(
      /^Iteration 4 of 9\. .*\n\nFrom the person who watches: mind the tests\n\n/,
    )
  })

  it('is all of it again for another session that takes it on, and where a compression was not told of', () => {
    const here = place()
    const one = sessionAt(here, 's-1')
    const id = ok(one.loop('start', 'Write b.txt', '--quiet')).stdout.trim()
    for (const text of ['1', '2']) answered(one.stop(text))
    ok(here.loop('resume', '--run', id, '--session', 'claude:s-2'))
    const two = sessionAt(here, 's-2')
    expect(answered(two.stop('')).block).toContain('## The task')
    writeFileSync(join(here.root, 'c.txt'), 'c')
    expect(answered(two.stop('')).block).not.toContain('## The task')

    ok(here.loop('start', 'Write d.txt', '--session', 'gemini:g-1'))
    let stops = 0
    const isWhole = (host: string, session_id: string) => {
      stops += 1
      writeFileSync(join(here.root, 'c.txt'), `${stops}`)
      const { said } = hook(`${host}-stop`, here.root, { session_id, prompt_response: '', last_assistant_message: '' })
      return String(said?.['reason']).includes('## The task')
    }
    const compact = (host: string, session_id: string, trigger: string) =>
      hook(`${host}-pre-compact`, here.root, { session_id, trigger })
    expect([isWhole('gemini', 'g-1'), isWhole('gemini', 'g-1')]).toEqual([true, false])
    compact('gemini', 'g-1', 'auto')
    expect(isWhole('gemini', 'g-1')).toBe(false)
    compact('gemini', 'g-1', 'manual')
    expect([isWhole('gemini', 'g-1'), isWhole('gemini', 'g-1')]).toEqual([true, false])
    ok(here.loop('start', 'Write e.txt', '--session', 'codex:c-1'))
    expect([isWhole('codex', 'c-1'), isWhole('codex', 'c-1')]).toEqual([true, false])
    compact('codex', 'c-1', 'auto')
    expect([isWhole('codex', 'c-1'), isWhole('codex', 'c-1')]).toEqual([true, false])
    // Gemini CLI compresses without a word: all of it comes from time to time.
    const heard = (host: string) => [0, 1, 2, 3, 4, 5, 6, 7, 11].map((tellings) => hasHeardAll({ tellings }, host))
    expect(heard('gemini')).toEqual([false, false, true, true, true, true, false, true, false])
    expect(heard('claude')).toEqual([false, false, ...Array(7).fill(true)])
  })

  it('names the worktree and how far it is, each time', () => {
    const here = place()
    const { loop, stop } = sessionAt(here, 's-1')
    const id = here.issue('Write b.txt')
    ok(loop('start', '--issue', id, '--verify', 'test -f b.txt'))
    const worktree = ok(here.loop('worktree', 'path', id)).stdout.trim()
    expect(answered(stop('')).block).toContain(`## Issue ${id}: Write b.txt`)
    const { block } = answered(stop(''))
    expect(block).toContain(`Go on with issue ${id}\n\nWorktree: ${worktree}. How far it is: nothing is changed yet.\n`)
  })

  it('says what to do about a task that is stuck, and about an issue', () => {
    const here = place()
    const { loop, stop } = sessionAt(here, 's-1')
    const run1 = ok(loop('start', 'x', '--quiet')).stdout.trim()
    ok(loop('signal', 'stuck', '--note', 'no key'))
    expect(answered(stop('')).warning).toBe(
      `loop: the task is stuck after 1 iteration: the agent says that it is stuck: no key. The work is in ${here.root}; loop start gives the task another try.`,
    )
    expect(here.loop('resume')).toMatchObject({
      code: 3,
      stderr: `loop: expected a run that is not over, the last one, ${run1}, is stuck; loop start gives the task another try\n`,
    })

    const id = here.issue('Write b.txt')
    ok(loop('start', '--issue', id, '--verify', 'test -f b.txt'))
    const worktree = ok(here.loop('worktree', 'path', id)).stdout.trim()
    writeFileSync(join(worktree, 'c.txt'), 'c')
    ok(loop('signal', 'stuck', '--note', 'no key'))
    const { warning = '' } = answered(stop(''))
    const [, ref = ''] =
      /Its work is kept in (refs\S+); tissue status \S+ open lets it be tried again\.$/.exec(warning) ?? []
    expect(git(here.root, 'show', `${ref}:c.txt`).trim()).toBe('c')
    expect(show(here.root, id).status).toBe('paused')
    expect(here.loop('resume').stderr).toMatch(/is stuck; see tissue list --status paused\n$/)
  })

  it('says once who paused the run, and that a resting session wants a word to go on', () => {
    const here = place()
    const { loop, stop } = sessionAt(here, 's-1')
    const id = ok(loop('start', 'x', '--quiet')).stdout.trim()
    ok(here.loop('pause', '--as', 'eve'))
    expect(answered(stop('')).warning).toBe(`loop: run ${id} is paused by eve; loop resume goes on with it.`)
    expect(answered(stop(''))).toEqual({})
    expect(ok(here.loop('resume')).stderr).toContain('type anything in the session claude:s-1 to go on\n')
    expect(answered(stop('')).block).toContain('Iteration 2')
    ok(here.loop('pause'))
    answered(stop(''))
    expect(ok(loop('resume')).stderr).not.toContain('type anything')
  })
})

describe('a session that takes the place of a cleared one', () => {
  it('is told that its loop waits, takes it on, and hears no more of it', () => {
    const here = place()
    const old = sessionAt(here, 'old')
    const start = (session_id: string, source: string) =>
      hook('claude-session-start', here.root, { session_id, source }).said
    expect(start('new', 'clear')).toBeUndefined()
    const id = ok(old.loop('start', 'Write b.txt', '--quiet')).stdout.trim()
    expect(start('new', 'clear')).toBeUndefined()
    hook('claude-session-end', here.root, { session_id: 'old', reason: 'clear' })
    expect(start('new', 'startup')).toBeUndefined()
    const told = start('new', 'clear')
    expect(told).toMatchObject({
      systemMessage: `loop: run ${id} of the cleared session waits; loop resume --run ${id} --session claude:new goes on with it here, loop cancel --run ${id} ends it`,
      hookSpecificOutput: { additionalContext: expect.stringContaining(`loop resume --run ${id}. To end it`) },
    })
    const next = sessionAt(here, 'new')
    ok(next.loop('resume', '--run', id))
    expect(start('another', 'clear')).toBeUndefined()
    expect(answered(next.stop('')).block).toContain('Write b.txt')
    expect(run('loop', ['status', '--json'], { cwd: here.root }).stdout).toContain('"id":"new"')
  })

  it('is told nothing of a session that ended in another way', () => {
    const here = place()
    ok(sessionAt(here, 'old').loop('start', 'Write b.txt'))
    hook('claude-session-end', here.root, { session_id: 'old', reason: 'other' })
    expect(hook('claude-session-start', here.root, { session_id: 'new', source: 'clear' }).said).toBeUndefined()
  })
})

describe('a task that Gemini CLI begins with a tool', () => {
  it('is that of the session whose tool ran loop start, and of none that only read its word', () => {
    const here = place()
    const said = ok(here.loop('start', 'Write b.txt')).stdout
    const tool = (session_id: string, command: string, output = said) =>
      hook('gemini-post-tool', here.root, {
        session_id,
        tool_input: { command },
        tool_response: { llmContent: output, returnDisplay: output },
      })
    const stop = (session_id: string) => hook('gemini-stop', here.root, { session_id, prompt_response: 'so' }).said
    tool('g-2', 'cat said.txt')
    expect(stop('g-2')).toBeUndefined()
    tool('g-1', "loop start 'Write b.txt'")
    expect(stop('g-1')).toMatchObject({ decision: 'deny', reason: expect.stringContaining('Iteration 2 of 10') })
    tool('g-2', "loop start 'Write b.txt'")
    expect(stop('g-2')).toBeUndefined()
    const next = ok(here.loop('start', 'Write c.txt')).stdout
    tool('g-2', 'loop start x', `${said}${next}`)
    expect(stop('g-2')).toMatchObject({ reason: expect.stringContaining('Write c.txt') })
  })
})
