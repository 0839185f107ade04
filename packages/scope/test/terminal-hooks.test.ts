// An agent that calls its hooks itself, as its host would: in a terminal, and without a screen.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cleanEnv } from '@switchyard/testkit'
import { expect, it, onTestFinished } from 'vitest'
import { socketOf } from '../src/tmux/tmux.ts'
import { sessions, until } from './sessions.ts'

/** A function of the shell that calls the hook that came with the start: `hook NAME FIELDS`. */
const hook = `hook() { printf '{"session_id":"c1","cwd":"%s","hook_event_name":"%s"%s}' "$PWD" "$1" "$2" | scope hook --host claude --launched; }`
const prompt = `contract=$(node -p 'JSON.stringify(process.argv.at(-1))' -- "$@"); hook UserPromptSubmit ",\\"prompt\\":$contract"`
const tool = `hook PreToolUse ',"tool_name":"Read","tool_input":{"file_path":"/a/auth.ts"}'`
const stop = (text: string) => `hook Stop ',"last_assistant_message":"${text}"'`

function terminals(act: string) {
  const at = sessions({ act: `${hook}\n${act}`, env: { SCOPE_BACKEND: 'tmux' }, keepsStdin: true })
  const store = { path: join(at.root, '.scope') }
  onTestFinished(() => void spawnSync('tmux', ['-L', socketOf(store), 'kill-server'], { env: cleanEnv() }))
  return at
}

it('is done when its turn has ended, while its terminal stays; what it is sent then is another turn', async () => {
  const at = terminals(
    `hook SessionStart ',"source":"startup"'; ${prompt}; ${tool}; while [ ! -e go ]; do sleep 0.05; done; ${stop('First.')}
read -r line; hook UserPromptSubmit ',"prompt":"more"'; ${stop('Second.')}; read -r line`,
  )
  const id = at.spawn('Look around')
  await until(() => at.poll(id).activity === 'reading auth.ts', 'the activity')
  expect(at.poll(id)).toMatchObject({ status: 'running', turn: 'busy', agent_session: 'c1' })
  writeFileSync(join(at.root, 'go'), '')
  expect(at.wait(id).waited.results).toMatchObject([{ status: 'done', turn: 'idle', result: 'First.', alive: true }])
  at.scope(['send', id, 'more'])
  const events = () => at.events(id).map(({ event }) => event)
  await until(() => events().filter((event) => event === 'done').length === 2, 'the end of the other turn')
  expect(at.poll(id).result).toBe('Second.')
  const turn = ['result', 'turn', 'done']
  expect(events().slice(events().indexOf('result'))).toEqual([...turn, 'prompted', ...turn])
  at.scope(['abort', id])
})

it('ends with the turn in which it has said that it exits, and has its result', async () => {
  const at = terminals(
    `hook SessionStart ',"source":"startup"'; ${prompt}; scope exit 'the plan does not fit' >/dev/null; ${stop('Given up.')}; while :; do sleep 1; done`,
  )
  const id = at.spawn('Try')
  expect(at.wait(id).code).toBe(5)
  await until(() => !at.poll(id).alive, 'its agent to be ended')
  expect(at.poll(id)).toMatchObject({ status: 'exited', exit_reason: 'the plan does not fit', result: 'Given up.' })
})

it('has one result for each turn where a supervisor follows it too, and can be resumed when it was killed', () => {
  const installed = hook.replace(' --launched', '')
  const at = sessions({
    act: `${installed}\nhook SessionStart ',"source":"startup"'; ${tool}; ${stop('Not this.')}; [ -e dies ] && kill -9 $$`,
  })
  const id = at.spawn('Look around', '--headless')
  expect(at.wait(id).waited.results).toMatchObject([{ status: 'done', result: 'Done as told.', activity: '' }])
  const events = at.events(id).filter(({ event }) => event === 'result' || event === 'ready' || event === 'done')
  expect(events.map(({ event, by }) => `${event} by ${by}`)).toEqual([
    ...['ready by hook', 'result by supervisor', 'done by supervisor'],
  ])
  writeFileSync(join(at.root, 'dies'), '')
  const other = at.spawn('Look again', '--headless')
  expect(at.wait(other).waited.results).toMatchObject([{ status: 'failed', agent_session: 'c1' }])
  expect(at.scope(['resume', other]).code).toBe(0)
  at.wait(other)
  expect(at.heard(other, 'argv').split('\0')).toContain('--resume=c1')
})

it('needs input when its agent asks on its screen before it begins, until that is answered', async () => {
  const at = terminals(
    `printf 'Safety check\\nDo you trust %s?\\n> Yes\\n' "$SECRET_TOKEN"; read -r line
hook SessionStart ',"source":"startup"'; ${prompt}; ${stop('Begun.')}; read -r line`,
  )
  const spawned = at.scope(['spawn', 'Look'], {}, { SECRET_TOKEN: 'tok-12345678' })
  const id = spawned.stdout.trim()
  expect(at.wait(id, '--needs-input').code).toBe(0)
  const asks = 'before it begins, it asks: Do you trust [secret]?'
  expect(at.poll(id)).toMatchObject({ status: 'running', turn: 'needs_input', needs_input: asks })
  at.scope(['send', id, '--answer', 'yes'])
  expect(at.wait(id).waited.results).toMatchObject([{ status: 'done', result: 'Begun.', needs_input: null }])
  at.scope(['abort', id])
})
