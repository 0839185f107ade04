import { git, run, tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { hook, task } from './hook-fixture.ts'
import { ok } from './place.ts'

const root = tempRepo()
const reviewer = { agent_type: 'loop:reviewer', agent_id: 'a1' }

/** Asks for a second opinion on what is there now. */
function opinion(id: string): void {
  ok(run('loop', ['ask', 'Sound?', '--with', 'echo fine'], { cwd: root, env: { LOOP_RUN_ID: id } }))
}

const says = (last_assistant_message: string) => ({ ...reviewer, last_assistant_message })
const status = (id: string) =>
  run('loop', ['review', 'status', '--quiet'], { cwd: root, env: { LOOP_RUN_ID: id } }).stdout.trim()

describe('a reviewer in a session with a loop', () => {
  it('is held until its verdict and a second opinion are there, and its last line counts', () => {
    const bound = task(root, 'claude')
    const first = bound.hook('claude-subagent-stop', says('LGTM, I would say'))
    expect(first.said).toMatchObject({ decision: 'block', reason: expect.stringContaining('no verdict of yours on') })
    const second = bound.hook('claude-subagent-stop', { ...says('Sound.\nLGTM'), agent_id: 'a2' })
    expect(second.said).toMatchObject({ decision: 'block', reason: expect.stringContaining('loop ask') })
    expect(status(bound.run)).toBe('missing')
    opinion(bound.run)
    expect(bound.hook('claude-subagent-stop', says('Sound.\n**LGTM**')).stdout).toBe('')
    expect(status(bound.run)).toBe('approved')
    expect(bound.hook('claude-subagent-stop', says('a.ts:1 is wrong\nCHANGES_REQUESTED')).stdout).toBe('')
    expect(status(bound.run)).toBe('changes')
    expect(bound.events().filter(({ event }) => event === 'held')).toHaveLength(2)
  })

  it('has to look again at another commit, and to ask again', () => {
    const bound = task(root, 'codex')
    const plain = { ...says('LGTM'), agent_type: 'reviewer' }
    opinion(bound.run)
    expect(bound.hook('codex-subagent-stop', plain).stdout).toBe('{}\n')
    // Asked after the verdict, but on the commit of before.
    opinion(bound.run)
    git(root, 'commit', '--quiet', '--allow-empty', '--message', 'More')
    expect(status(bound.run)).toBe('outdated')
    expect(bound.hook('codex-subagent-stop', plain).said?.['reason']).toContain('no second opinion on')
    opinion(bound.run)
    expect(bound.hook('codex-subagent-stop', plain).stdout).toBe('{}\n')
    expect(status(bound.run)).toBe('approved')
  })

  it('is heard from its host alone, not from an agent that calls the hook itself', () => {
    const bound = task(root, 'claude')
    opinion(bound.run)
    const env = { CLAUDE_CODE_SESSION_ID: bound.session }
    const typed = bound.hook('claude-subagent-stop', { ...says('LGTM'), env })
    expect(typed.said).toEqual({ systemMessage: expect.stringContaining('that an agent calls takes no verdict') })
    expect(status(bound.run)).toBe('missing')
    bound.hook('claude-subagent-stop', { ...says('LGTM'), env: { ...env, CLAUDE_PROJECT_DIR: root } })
    expect(status(bound.run)).toBe('approved')
  })

  it('is held twice at most, whatever it writes', () => {
    const bound = task(root, 'claude')
    const passing = says('## Second opinion\ncodex exec says LGTM')
    for (let round = 0; round < 2; round++) {
      expect(bound.hook('claude-subagent-stop', passing).said).toMatchObject({ decision: 'block' })
    }
    const let_go = bound.hook('claude-subagent-stop', passing)
    expect(let_go.said).toEqual({ systemMessage: expect.stringContaining('although there is no verdict of yours on') })
  })
})

describe('a subagent that is no reviewer, or has no loop around it', () => {
  it('ends when it likes', () => {
    const bound = task(root, 'claude')
    for (const changed of [
      { agent_type: 'general-purpose' },
      { agent_type: '' },
      { agent_type: 'reviewer-helper' },
      {},
    ]) {
      expect(bound.hook('claude-subagent-stop-compaction', changed).stdout).toBe('')
    }
    expect(bound.events()).toEqual([])
  })

  it('as a reviewer elsewhere does', () => {
    expect(hook('claude-subagent-stop', root, reviewer).stdout).toBe('')
  })
})
