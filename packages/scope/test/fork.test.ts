import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { conversation, hooked } from './hooked.ts'
import { sessions } from './sessions.ts'

describe('scope resume --fork', () => {
  it('is a new session in a copy of the conversation; the other one stays as it is, also at work', () => {
    const at = sessions({ act: 'while [ $SCOPE_SESSION_ID = 0 ] && [ -e hold ]; do sleep 0.05; done' })
    const id = at.spawn('Begin', '--type', 'explore', '--model', 'small', '--id', 'first')
    at.wait(id)
    const before = at.file(id, 'events.jsonl')
    const { code, stdout } = at.scope(['resume', 'first', 'Try it\nwithout a cache', '--fork', '--access', 'read'])
    expect([code, stdout]).toEqual([0, '1\n'])
    expect(at.wait('1').code).toBe(0)
    expect(at.heard('1', 'argv').split('\0')).toEqual(
      expect.arrayContaining([
        '--resume=conversation-1',
        '--fork-session',
        '--model=small',
        '--permission-mode=dontAsk',
      ]),
    )
    expect(at.heard('1', 'prompt')).toBe('Try it\nwithout a cache')
    expect(at.poll('1')).toMatchObject({ task: 'Try it', task_type: 'explore', alias: null, parent: null })
    expect(at.events('1')[0]).toMatchObject({ event: 'created', fork_of: '0' })
    expect(at.file(id, 'events.jsonl')).toBe(before)
    at.write('hold', '')
    at.scope(['resume', id, 'On'])
    expect(at.scope(['resume', id, 'Aside', '--fork'], {}, { SCOPE_SESSION_ID: id }).stdout).toBe('0.0\n')
    expect(at.wait('0.0').code).toBe(0)
    expect(at.poll(id)).toMatchObject({ status: 'running', children: ['0.0'] })
    at.scope(['abort', id])
  })

  it('is refused, as resume is, where the folder of the session is gone: nothing has changed then', () => {
    const at = sessions()
    const id = at.spawn('Work apart', '--worktree')
    at.wait(id)
    expect(at.scope(['worktree', 'drop', id]).code).toBe(0)
    const before = at.file(id, 'events.jsonl')
    for (const flags of [[], ['--fork']]) {
      const { code, stdout, stderr } = at.scope(['resume', id, 'More', ...flags])
      expect([code, stdout]).toEqual([5, ''])
      expect(stderr).toContain(`the folder of session 0, ${join(at.root, '.worktrees', 'scope', '0')}, is gone`)
    }
    expect([at.file(id, 'events.jsonl'), at.poll(id).status, at.inStore('sessions')]).toEqual([before, 'done', ['0']])
    expect(at.live()).toEqual([])
  })

  it('is refused where there is nothing to copy, and counts as a session that runs', () => {
    const at = sessions()
    at.wait(at.spawn('Loop', '--checker', 'true'))
    at.agent('exit 1')
    at.script('codex', `cat >/dev/null; echo '{"type":"thread.started","thread_id":"t"}'; exit 1`)
    at.spawn('Fail')
    at.spawn('Other', '--agent', 'codex')
    at.wait('1', '2')
    const refusals: [readonly string[], number, RegExp][] = [
      [['0', 'x'], 2, /expected a session of one agent, 0 is a loop/],
      [['1', 'x'], 5, /has told of no conversation to go on with/],
      [['2', 'x'], 2, /expected no --fork with codex/],
      [['0-0-do'], 2, /expected a prompt with --fork, got nothing; scope resume 0-0-do "…" --fork/],
      [['0-0-do', 'x', '--max-iterations', '2'], 2, /expected no --max-iterations with --fork/],
    ]
    for (const [args, code, line] of refusals) {
      const finished = at.scope(['resume', ...args, '--fork'])
      expect([args, finished.code, finished.stdout]).toEqual([args, code, ''])
      expect(finished.stderr).toMatch(line)
    }
    at.scope(['config', 'max_depth', '0'])
    expect(at.scope(['resume', '0-0-do', 'x', '--fork'], {}, { SCOPE_SESSION_ID: '0' }).code).toBe(9)
    expect(at.scope(['list', '--all', '--quiet']).stdout).toBe('0\n0-0-do\n1\n2\n')
  })

  it('has not spent what stands in its transcript from before', async () => {
    const session = hooked()
    await session.begin('0', { fork_of: '7' })
    session.hook('claude-session-start', { session_id: conversation })
    session.hook('claude-prompt', { session_id: conversation, prompt: 'make file' })
    const path = join(session.root, 'transcript.jsonl')
    const usage = { input_tokens: 10, output_tokens: 4 }
    const said = (id: string, at: number) =>
      JSON.stringify({ type: 'assistant', timestamp: new Date(at).toISOString(), message: { id, content: [], usage } })
    writeFileSync(path, `${said('old', Date.now() - 60_000)}\n${said('own', Date.now() + 1000)}\n`)
    session.hook('claude-stop', { session_id: conversation, transcript_path: path })
    expect(session.poll().tokens).toEqual({ input_tokens: 10, output_tokens: 4, cached_tokens: 0 })
  })
})

it('scope resume --access changes what an agent may do from then on: it plans, then it acts', () => {
  const at = sessions()
  const id = at.spawn('Plan it', '--access', 'read')
  at.wait(id)
  expect(at.scope(['resume', id, 'Do it', '--access', 'write']).code).toBe(0)
  at.wait(id)
  expect(at.heard(id, 'argv').split('\0')).toContain('--permission-mode=acceptEdits')
  at.scope(['resume', id])
  at.wait(id)
  expect(at.heard(id, 'argv').split('\0')).toContain('--permission-mode=acceptEdits')
})
