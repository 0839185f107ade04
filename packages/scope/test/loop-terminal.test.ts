import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { cleanEnv } from '@switchyard/testkit'
import { describe, expect, it, onTestFinished } from 'vitest'
import { socketOf } from '../src/tmux/tmux.ts'
import { isGone, sessions, until } from './sessions.ts'
import { write } from './workflows.ts'

/** What a host tells the hook that came with the start of its agent, at an event. */
const hook = (event: string, more = '') =>
  `printf '{"hook_event_name":"${event}","session_id":"of-%s","cwd":"%s"${more}}' $SCOPE_SESSION_ID "$PWD" | scope hook --host claude --launched`

/** An agent in a terminal, which tells by hooks that its turn is over, and then waits for somebody to talk to it. */
const agent = `case $SCOPE_SESSION_ID in *-check) said='VERDICT: ACCEPT' ;; *-1-do) touch made; said=Second ;; *) said=First ;; esac
${hook('SessionStart', ',"source":"startup"')}
${hook('UserPromptSubmit', ',"prompt":"go on"')}
${hook('Stop', `,"stop_hook_active":false,"last_assistant_message":"'"$said"'"`)}
while read -r line; do :; done`

function terminals() {
  const at = sessions({ act: agent, env: { SCOPE_BACKEND: 'tmux' }, keepsStdin: true })
  const server = ['-L', socketOf({ path: join(at.root, '.scope') })]
  const tmux = (...words: readonly string[]) =>
    spawnSync('tmux', [...server, ...words], { encoding: 'utf8', env: cleanEnv() })
  onTestFinished(() => void tmux('kill-server'))
  return { ...at, names: () => tmux('list-sessions', '-F', '#{session_name}').stdout.trim() }
}

describe('agents in terminals', () => {
  it('work and judge in a loop by turns, each in its own, and are ended when their part is done', async () => {
    const at = terminals()
    const { code, stdout } = at.scope(['spawn', 'Try', '--checker', 'agent: Is it made?', '--wait'])
    expect([code, stdout]).toEqual([0, 'First\n'])
    expect(['0-0-do', '0-0-check'].map((id) => [at.poll(id).backend, at.poll(id).status])).toEqual([
      ['tmux', 'done'],
      ['tmux', 'done'],
    ])
    expect(at.poll('0')).toMatchObject({ backend: 'headless', loop: { verdict: 'accept' } })
    await until(() => ['0-0-do', '0-0-check'].every((id) => isGone(Number(at.heard(id, 'pid')))), 'the agents to end')
    await until(() => at.names() === '', 'the terminals to close')
  })

  it('stop a workflow from three below with their reason, though their turns end after that', async () => {
    const at = terminals()
    const below = (name: string) => `scope spawn ${name} --id ${name.toLowerCase()} >/dev/null`
    at.agent(`${hook('SessionStart', ',"source":"startup"')}
case $SCOPE_SESSION_ID in
  0-1-do) ${below('Below')} ;;
  0-1-do.0) ${below('Deepest')} ;;
  0-1-do.0.0) scope exit "The API has no such call"; ${hook('Stop', ',"stop_hook_active":false,"last_assistant_message":"late"')}; touch late ;;
  *) ${hook('Stop', ',"stop_hook_active":false,"last_assistant_message":"said"')} ;; esac
while read -r line; do :; done`)
    const flow = write(
      at,
      `const wf = new Workflow('w'); wf.phase('a', { task: 'A', checker: 'false', on_fail: 'continue' }); wf.phase('b', { task: 'B' }); await wf.run()`,
    )
    const { code, stderr } = at.scope(['workflow', flow])
    expect([code, stderr.split('\n').at(-2)]).toEqual([5, 'scope: w-0: stopped: The API has no such call (a exit)'])
    await until(() => existsSync(join(at.root, 'late')), 'its turn to end')
    await until(
      () => ['0-1-do', '0-1-do.0', '0-1-do.0.0'].every((id) => isGone(Number(at.heard(id, 'pid')))),
      'all to end',
    )
    for (const id of ['0', '0-1-do', '0-1-do.0', '0-1-do.0.0']) {
      expect([id, at.poll(id).status, at.poll(id).exit_reason]).toEqual([id, 'exited', 'The API has no such call'])
    }
    expect(at.poll('0-1-do.0.0').result).toBe('late')
  })

  it('are the phases of a workflow, and are ended when it has their results', async () => {
    const at = terminals()
    const flow = write(
      at,
      `const wf = new Workflow('w'); wf.phase('a', { task: 'A' }); wf.phase('b', { task: 'B', checker: 'test -e made' }); await wf.run()`,
    )
    const { code, stderr } = at.scope(['workflow', flow])
    expect([code, stderr.split('\n').at(-2)]).toEqual([0, 'scope: w-0: accepted (a done, b accept)'])
    expect(at.heard('1-1-do', 'argv')).toMatch(/# Result of a\n\n.* begin: its last message -----\nFirst\n/)
    await until(() => at.names() === '', 'the terminals to close')
  })
})
