import { git, run, tempRepo } from '@switchyard/testkit'
import { locateStore, postMessage } from '@switchyard/topic'
import { describe, expect, it } from 'vitest'
import type { Opinion } from '../src/ask/opinion-schema.ts'
import { hook, task } from './hook-fixture.ts'
import { ok } from './place.ts'

const root = tempRepo()
const reviewer = { agent_type: 'loop:reviewer', agent_id: 'a1' }

/** What `loop ask` records. */
async function opinion(id: string): Promise<void> {
  const store = locateStore({ cwd: root, env: {}, name: '.jwz', variable: 'JWZ_STORE' })
  const data: Opinion = {
    ...{ type: 'opinion', v: 1, with: 'codex', by: 'reviewer', issue: null, run: id, prompt_sha256: '0' },
    ...{ outcome: 'done', exit_code: 0, duration_ms: 1, error: null },
  }
  await postMessage(store, { topic: `loop:run:${id}`, from: 'reviewer', body: 'fine', data }, Date.now())
}

function review(id: string): void {
  ok(run('loop', ['review', 'post', 'lgtm', '--by', 'reviewer'], { cwd: root, env: { LOOP_RUN_ID: id } }))
}

describe('a reviewer in a session with a loop', () => {
  it('is held until its verdict and a second opinion are there', async () => {
    const bound = task(root, 'claude')
    const first = bound.hook('claude-subagent-stop', reviewer)
    expect(first.said).toMatchObject({ decision: 'block', reason: expect.stringContaining('no verdict on') })
    review(bound.run)
    const second = bound.hook('claude-subagent-stop', { ...reviewer, agent_id: 'a2' })
    expect(second.said).toMatchObject({ decision: 'block', reason: expect.stringContaining('loop ask') })
    await opinion(bound.run)
    expect(bound.hook('claude-subagent-stop', reviewer).stdout).toBe('')
    expect(bound.events().filter(({ event }) => event === 'held')).toHaveLength(2)
  })

  it('has to look again at another commit', async () => {
    const bound = task(root, 'codex')
    await opinion(bound.run)
    review(bound.run)
    const plain = { ...reviewer, agent_type: 'reviewer' }
    expect(bound.hook('codex-subagent-stop', plain).stdout).toBe('{}\n')
    git(root, 'commit', '--quiet', '--allow-empty', '--message', 'More')
    expect(bound.hook('codex-subagent-stop', plain).said?.['reason']).toContain('no verdict on')
    review(bound.run)
    expect(bound.hook('codex-subagent-stop', plain).said?.['reason']).toContain('no second opinion on')
    expect(bound.hook('codex-subagent-stop', plain).said).toEqual({
      systemMessage: expect.stringContaining('the reviewer was let go'),
    })
  })

  it('is held twice at most, whatever it writes', () => {
    const bound = task(root, 'claude')
    const says = { ...reviewer, last_assistant_message: '## Second opinion\ncodex exec says LGTM' }
    for (let round = 0; round < 2; round++) {
      expect(bound.hook('claude-subagent-stop', says).said).toMatchObject({ decision: 'block' })
    }
    const let_go = bound.hook('claude-subagent-stop', says)
    expect(let_go.said).toEqual({ systemMessage: expect.stringContaining('although no verdict on') })
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
