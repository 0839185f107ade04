import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { verbs } from '../src/verbs.ts'
import { homeWithTranscript } from './home.ts'
import { type Sessions, sessions, until } from './sessions.ts'

/**
 * A command line of a verb, and the record, of those `scope schema` knows, that each element of its --json output is;
 * the session that calls it, what it reads, and the exit codes that are as good.
 */
type Sample = [argv: readonly string[], record: string, given?: { as?: string; input?: string; codes?: number[] }]

/** By verb, and by the flag that makes it print something else. In this order: some end what others show. */
const samples: Record<string, Sample> = {
  spawn: [['spawn', 'More'], 'started'],
  'spawn --wait': [['spawn', 'More', '--wait'], 'session'],
  'spawn --dry-run': [['spawn', 'More', '--checker', 'true', '--dry-run'], 'plan'],
  workflow: [['workflow', 'flow.json'], 'workflow-result'],
  'workflow --dry-run': [['workflow', 'flow.json', '--dry-run'], 'planned-phase'],
  run: [['run', '--', 'cat'], 'envelope', { input: 'hi' }],
  poll: [['poll', '--all', '--trajectory'], 'session'],
  wait: [['wait', 'done', '--summary'], 'waited'],
  result: [['result', 'done'], 'result'],
  list: [['list', '--all'], 'session'],
  logs: [['logs', 'done'], 'event'],
  'logs --output': [['logs', 'done', '--output'], 'screen'],
  'logs --screen': [['logs', 'seen', '--screen'], 'screen'],
  trajectory: [['trajectory', 'done'], 'step'],
  replay: [['replay', 'done'], 'replay'],
  stats: [['stats'], 'stat'],
  notify: [['notify', 'done'], 'event'],
  send: [['send', 'seen', 'hello'], 'sent'],
  check: [['check', 'loop'], 'checked'],
  rubric: [['rubric', 'loop', '--show'], 'rubric'],
  'rubric --lint': [['rubric', 'torn', '--lint'], 'rubric-fault', { codes: [1] }],
  verdict: [['verdict', 'accept', '--criterion', '1=pass'], 'judged', { as: '1-0-check' }],
  pause: [['pause', '1'], 'paused'],
  resume: [['resume', 'done', 'On'], 'started'],
  exit: [['exit', 'No way'], 'exited', { as: '0' }],
  'worktree list': [['worktree', 'list'], 'worktree'],
  'worktree diff': [['worktree', 'diff', 'apart'], 'patch'],
  'worktree merge': [['worktree', 'merge', 'apart'], 'merged'],
  'worktree drop': [['worktree', 'drop', 'apart'], 'dropped'],
  abort: [['abort', 'seen', '--purge'], 'aborted'],
  gc: [['gc', '--older-than', '0s'], 'collected'],
  agents: [['agents'], 'agent'],
  config: [['config'], 'setting'],
  doctor: [['doctor'], 'finding', { codes: [0, 1] }],
  where: [['where'], 'store'],
  prime: [['prime'], 'primer'],
  setup: [['setup', '--agent', 'claude'], 'setup'],
  uninstall: [['uninstall', '--agent', 'claude'], 'setup'],
}

/** They print nothing, or take the terminal. */
const withoutRecord = ['attach', 'hook', 'supervise']

const agent = `case $SCOPE_SESSION_ID in
0) while read -r line; do echo "$line"; done ;;
1-0-check) cat >/dev/null; while [ -e "$SCOPE_DIR" ]; do sleep 0.1; done ;;
*) cat >/dev/null ;; esac`

/** Sessions in which every verb has something to show. */
async function peopled(): Promise<Sessions> {
  const at = sessions({
    act: agent,
    env: { HOME: homeWithTranscript([{ name: 'Bash', input: {} }]) },
    keepsStdin: true,
  })
  at.scope(['spawn', 'Talk', '--id', 'seen'], {}, { SCOPE_BACKEND: 'tmux' })
  at.spawn('Judged', '--checker', 'agent: Is it good?')
  at.spawn('Work', '--id', 'done')
  at.spawn('Loop', '--id', 'loop', '--checker', 'true')
  at.spawn('Torn', '--id', 'torn', '--checker', 'true')
  at.spawn('Apart', '--id', 'apart', '--worktree')
  expect(at.wait('done', 'loop', 'torn', 'apart').code).toBe(0)
  appendFileSync(join(at.folder('4'), 'rubric.md'), '## Gates\n- no backquotes\n')
  await until(() => at.isAtWork('0') && at.hasHeard('1-0-check'), 'the agents to run')
  writeFileSync(join(at.root, 'flow.json'), JSON.stringify({ name: 'w', phases: [{ name: 'a', task: 'A' }] }))
  at.scope(['config', 'notify.command', '["true"]'])
  at.git('add', '.')
  at.git('commit', '-qm', 'flow')
  return at
}

it('scope schema describes what each verb prints with --json, and stdout is nothing else', async () => {
  const at = await peopled()
  for (const [name, [argv, record, { as, input = '', codes = [0] } = {}]] of Object.entries(samples)) {
    const schema = z.fromJSONSchema(JSON.parse(at.scope(['schema', record]).stdout))
    const given = as === undefined ? {} : { SCOPE_SESSION_ID: as, SCOPE_DIR: join(at.root, '.scope') }
    const { code, stdout, stderr } = at.scope(['--json', ...argv], { input }, given)
    expect([name, stderr, codes.includes(code ?? -1)]).toEqual([name, stderr, true])
    const lines = stdout.trim().split('\n')
    const printed = lines.flatMap((line) => JSON.parse(line))
    expect([name, printed.length > 0]).toEqual([name, true])
    for (const value of printed) expect([name, schema.safeParse(value)]).toMatchObject([name, { success: true }])
  }
  at.scope(['abort', ...at.live()])
})

it('each verb is a line of the samples in this file', () => {
  const sampled = new Set(Object.keys(samples).map((name) => name.replace(/ --.*/, '')))
  expect([...sampled, ...withoutRecord].toSorted()).toEqual(Object.keys(verbs).toSorted())
})
