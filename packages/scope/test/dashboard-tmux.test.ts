// The dashboard beside the terminals of its sessions, moved by keys.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cleanEnv } from '@switchyard/testkit'
import { describe, expect, it, onTestFinished } from 'vitest'
import { socketOf } from '../src/tmux/tmux.ts'
import { dashboardOf } from './dashboards.ts'
import { sessions, until } from './sessions.ts'

const hook = `hook() { printf '{"session_id":"c1","cwd":"%s","hook_event_name":"%s"%s}' "$PWD" "$1" "$2" | scope hook --host claude --launched; }`

/** An agent that asks a person something, and then notes each line that it is told. */
const asks = `${hook}
hook SessionStart ',"source":"startup"'
hook PreToolUse ',"tool_name":"AskUserQuestion","tool_input":{"questions":[{"question":"Delete it?"}]}'
echo "Delete it? Enter is yes"; read -r line; echo "answered:$line" >>told
hook PostToolUse ',"tool_name":"AskUserQuestion","tool_input":{},"tool_response":{}'
while read -r line; do echo "$line" >>told; done`

function terminals(act = asks) {
  const at = sessions({ act, env: { SCOPE_BACKEND: 'tmux' }, keepsStdin: true })
  const server = ['-L', socketOf({ path: join(at.root, '.scope') }), 'kill-server']
  onTestFinished(() => void spawnSync('tmux', server, { env: cleanEnv() }))
  return { ...at, told: () => (at.has('told') ? readFileSync(join(at.root, 'told'), 'utf8') : '') }
}

const inTmux = { SCOPE_BACKEND: 'tmux' }

describe('the dashboard in tmux', () => {
  it('starts a session beside itself, answers it, tells it more, aborts it when that is confirmed', async () => {
    const at = terminals()
    const terminal = await dashboardOf(at, /No sessions/, { command: 'scope', env: inTmux })
    const pressing = async (key: string, wanted: RegExp) => {
      terminal.keys(key)
      return await terminal.see(wanted)
    }
    await pressing('n', /Task of the new session/)
    terminal.type('Tidy up')
    await pressing('Enter', /Delete it\? Enter is yes/)
    expect(terminal.ask('#{window_panes}')).toBe('2')
    terminal.keys('C-b', 'd')
    await terminal.see(/1 needs you[\s\S]*0 +Tidy up +! needs input +Delete it\?/)
    expect(terminal.ask('#{window_panes}')).toBe('1')
    await pressing('a', /Delete it\? Enter is yes[\s\S]*y approve {2}n deny/)
    await pressing('y', /0 was answered/)
    await until(() => at.told() === 'answered:\n', 'the answer')
    await terminal.see(/0 +Tidy up +● running/)
    await pressing('s', /Say to 0:/)
    terminal.type('also lint')
    terminal.keys('Enter')
    await until(() => at.told() === 'answered:\nalso lint\n', 'what was said')
    await terminal.see(/was told 9 bytes/)
    terminal.keys('Enter')
    await until(() => terminal.ask('#{window_panes}') === '2', 'the terminal beside it')
    terminal.keys('C-b', 'd')
    await terminal.see(/0 +Tidy up +● running/)
    await pressing('x', /Abort 0\? y aborts/)
    await pressing('n', / n new {2}↵ attach/)
    expect(at.poll('0').status).toBe('running')
    await pressing('P', /session 0 is paused/)
    await terminal.see(/0 +Tidy up +\S paused/)
    await pressing('P', /0 is paused/)
    await pressing('R', /Resume 0, and say/)
    await pressing('Enter', /0 goes on/)
    await terminal.see(/0 +Tidy up +! needs input/)
    await pressing('x', /Abort 0\? y aborts/)
    await pressing('y', /session 0 is aborted/)
    await terminal.see(/0 +Tidy up +■ aborted/)
    await pressing('R', /Resume 0, and say/)
    terminal.type('Go on')
    await pressing('Enter', /0 goes on/)
    await until(() => at.poll('0').status === 'running', 'the session to go on')
    await pressing('q', /left with 0/)
    expect(at.poll('0').status).toBe('running')
    at.scope(['abort', '0'])
  })

  it('sends what the keys of an answer say: n Escape, a digit itself, and any other nothing', async () => {
    const at = terminals(`${hook}
hook SessionStart ',"source":"startup"'
hook PreToolUse ',"tool_name":"AskUserQuestion","tool_input":{"questions":[{"question":"Which?"}]}'
echo "Which? 1 or 2"; stty raw -echo
while key=$(dd bs=1 count=1 2>/dev/null | od -An -tx1) && [ -n "$key" ]; do echo "$key" >>told; done`)
    const id = at.spawn('Tidy up')
    const terminal = await dashboardOf(at, /0 +Tidy up +!/, { env: inTmux })
    for (const [key, sent] of [
      ['2', ' 32\n'],
      ['n', ' 32\n 1b\n'],
    ] as const) {
      terminal.keys('a')
      await terminal.see(/Which\? 1 or 2[\s\S]*y approve {2}n deny {2}1-9 choose/)
      terminal.keys('z', key)
      await terminal.see(/0 was answered/)
      await until(() => at.told() === sent, 'the answer')
      terminal.keys('j')
      await terminal.see(/n new {2}↵ attach/)
    }
    terminal.keys('a')
    await terminal.see(/y approve/)
    terminal.keys('q')
    await terminal.see(/n new {2}↵ attach/)
    terminal.keys('q')
    await terminal.see(/left with 0/)
    expect(at.told()).toBe(' 32\n 1b\n')
    at.scope(['abort', id])
  })

  it('starts a tmux for itself where there is none, which ends with it and leaves the sessions alone', async () => {
    const at = terminals()
    const id = at.spawn('Tidy up')
    const terminal = await dashboardOf(at, /0 +Tidy up +!/, { command: 'env -u TMUX scope', env: inTmux })
    terminal.keys('Enter')
    await terminal.see(/│.*Delete it\?/)
    terminal.keys('C-b', 'd')
    await terminal.see(/^(?!.*│)[\s\S]*MODE +ACTIVITY/)
    terminal.keys('q')
    await terminal.see(/left with 0/)
    expect(at.poll(id)).toMatchObject({ status: 'running', alive: true })
    at.scope(['abort', id])
  })
})
