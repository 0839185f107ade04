// What an agent with a screen spends, as the transcript that its client writes tells.
import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cleanEnv, outOfTime, tempFolder } from '@switchyard/testkit'
import { expect, it, onTestFinished } from 'vitest'
import { socketOf } from '../src/tmux/tmux.ts'
import { hooked } from './hooked.ts'
import { isGone, sessions, until } from './sessions.ts'

const hook = `hook() { printf '{"session_id":"c1","cwd":"%s","transcript_path":"%s","hook_event_name":"%s"%s}' "$PWD" "$transcript" "$1" "$2" | scope hook --host claude --launched; }`
const begin = `transcript="$CLAUDE_CONFIG_DIR/projects/p/c1.jsonl"\n${hook}\nhook SessionStart ',"source":"startup"'\nhook UserPromptSubmit ',"prompt":"go on"'`

/** An answer of 1,000 tokens in the transcript. */
const message = (id: string) =>
  `{"type":"assistant","message":{"id":"${id}","usage":{"input_tokens":900,"output_tokens":100}}}`
const answer = (id: string) => `echo '${message(id)}' >>"$transcript"`

function terminal(act: string, first = '') {
  const home = tempFolder('claude')
  mkdirSync(join(home, 'projects', 'p'), { recursive: true })
  const env = { SCOPE_BACKEND: 'tmux', CLAUDE_CONFIG_DIR: home }
  const at = sessions({ act: `${first}\n${begin}\n${act}`, env, keepsStdin: true })
  const socket = socketOf({ path: join(at.root, '.scope') })
  onTestFinished(() => void spawnSync('tmux', ['-L', socket, 'kill-server'], { env: cleanEnv() }))
  return at
}

it('ends an agent in a terminal while it works, and has in its log what it has spent', async () => {
  const at = terminal(`${answer('m1')}; setsid sleep 600 & ${answer('m2')}; ${answer('m2')}; while :; do sleep 1; done`)
  const { code, waited } = at.wait(at.spawn('Work', '--max-tokens', '1500'))
  expect([code, waited.results[0]?.exit_reason]).toEqual([9, 'it has spent 2000 tokens, and 1500 are allowed'])
  expect(waited.results[0]).toMatchObject({ limit: 'tokens', tokens: { input_tokens: 1800, output_tokens: 200 } })
  await until(() => isGone(Number(at.heard('0', 'pid'))), 'the agent to be ended')
  expect(at.scope(['resume', '0']).code).toBe(9)
})

const left = 'left-$SCOPE_SESSION_ID'
const leave = `sh -c 'echo $$ >>${left}; exec sleep 600'`
const leaves = `touch ${left}; setsid ${leave} & ${leave} & while [ $(wc -l <${left}) -lt 2 ]; do sleep 0.05; done`

it.each([
  ['its time', 'tmux', '--timeout', 1, /it was out of time after \d+ ms/],
  ['its time', 'headless', '--timeout', 1, /it was out of time after \d+ ms/],
  ['its silence', 'tmux', '--idle-timeout', 1, /nothing was heard of it for /],
  ['its tokens', 'tmux', '--max-tokens', 9, /it has spent 1000 tokens, and 999 are allowed/],
  ['its tokens', 'headless', '--max-tokens', 9, /it has spent 1000 tokens, and 999 are allowed/],
] as const)(
  'ends at %s an agent with all that it started, wherever that went, and says why: %s',
  async (_, backend, flag, code, reason) => {
    const spends = backend === 'tmux' ? answer('m1') : `echo '${message('m1')}'`
    const at = terminal(`${spends}; while :; do sleep 600; done`, leaves)
    const work = (limit: string) => {
      const own = ['spawn', 'Work', '--wait', flag, flag === '--max-tokens' ? '999' : limit]
      const ended = at.scope(own, {}, { SCOPE_BACKEND: backend })
      return { ...ended, id: /^scope: session (\d+) is failed: /.exec(ended.stderr)?.[1] ?? '' }
    }
    const pidsOf = (one: string) =>
      readFileSync(join(at.root, `left-${one}`), 'utf8')
        .trim()
        .split('\n')
    const hasLeft = ({ id }: { id: string }) => at.has(`left-${id}`) && pidsOf(id).length === 2
    const { id, ...ended } = outOfTime(work, hasLeft)
    expect([ended.code, ended.stderr]).toEqual([code, expect.stringMatching(reason)])
    expect([...pidsOf(id), at.heard(id, 'pid')].map((pid) => isGone(Number(pid)))).toEqual([true, true, true])
    expect([at.file(id, 'state'), at.file(id, 'exit_reason')]).toEqual(['failed\n', expect.stringMatching(reason)])
    expect(at.events(id).filter(({ event }) => event === 'failed')).toHaveLength(1)
  },
)

it('has failed where its turn has ended by then, and no agent stays in its terminal', async () => {
  // Where the supervisor does not look, so that it is the hook that finds out.
  const at = terminal(
    `transcript=$CLAUDE_CONFIG_DIR/elsewhere; ${answer('m1')}; hook Stop ',"last_assistant_message":"Here."'; while read -r line; do :; done`,
  )
  const { code, waited } = at.wait(at.spawn('Work', '--max-tokens', '999'))
  expect([code, waited.results[0]?.result]).toEqual([9, 'Here.'])
  expect(waited.results[0]?.exit_reason).toBe('it has spent 1000 tokens, and 999 are allowed')
  await until(() => isGone(Number(at.heard('0', 'pid'))), 'the agent to be ended')
  expect(at.events('0').filter(({ event }) => event === 'result')).toHaveLength(1)
})

it('is told that in a terminal nobody says what a turn costs', async () => {
  const at = terminal(`hook Stop ',"last_assistant_message":"Here."'`)
  const { code, stderr } = at.scope(['spawn', 'Work', '--max-cost', '1'])
  expect([code, stderr]).toEqual([
    0,
    'scope: claude does not tell what it costs in a terminal: --max-cost does not end it; --max-tokens does\n',
  ])
  await until(() => at.poll('0').status === 'done', 'its end')
})

it('has the tokens of Codex at the end of a turn, each once', async () => {
  const at = hooked()
  await at.begin()
  const path = join(tempFolder('codex'), 'rollout.jsonl')
  const total = (input_tokens: number) =>
    appendFileSync(
      path,
      `{"payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":${input_tokens},"output_tokens":5}}}}\n`,
    )
  at.hook('codex-session-start')
  total(100)
  at.hook('codex-stop', { transcript_path: path })
  expect(at.poll().tokens).toEqual({ input_tokens: 100, output_tokens: 5, cached_tokens: 0 })
  total(100)
  total(130)
  at.hook('codex-prompt')
  at.hook('codex-stop', { transcript_path: path })
  expect(at.poll().tokens).toEqual({ input_tokens: 130, output_tokens: 5, cached_tokens: 0 })
})
