// Hooks run at every tool call and every stop of an agent: whole-process times as ratios to `node -e 0`, in interleaved rounds.
import { benchPlace, median, printTable, quantile, sessionsIn, tool } from './place.mjs'

const warmUps = 2

/** Prints the table; `rounds` of every hook. */
export function benchHooks(rounds) {
  const { folder, milliseconds, leave } = benchPlace()
  const use = (command) => ({ tool_name: 'Bash', tool_input: { command }, tool_use_id: 'toolu_1' })
  const input = (event, fields) =>
    JSON.stringify({ session_id: 'bench', cwd: folder, hook_event_name: event, permission_mode: 'default', ...fields })
  const hook = tool('loop', 'hook', '--host', 'claude')
  const commands = {
    'node -e 0': [[process.execPath, '-e', '0'], ''],
    'loop hook, innocent tool': [hook, input('PreToolUse', use('git status --short'))],
    'loop hook, dangerous tool': [hook, input('PreToolUse', use('git push --force origin main'))],
    'loop hook, stop without a loop': [
      hook,
      input('Stop', { stop_hook_active: false, last_assistant_message: 'Done.' }),
    ],
  }
  const scope = tool('scope', 'hook', '--host', 'claude')
  const own = sessionsIn(folder)
  const told = { session_id: 'warm', last_assistant_message: 'Done.', background_tasks: [{ status: 'running' }] }
  // Each tool is another: what an agent does already is not written again.
  Object.assign(commands, {
    'scope hook, not its session': [scope, input('PreToolUse', use('git status --short'))],
    'scope hook, a tool': [scope, (round) => input('PreToolUse', { ...use(`make ${round}`), session_id: 'warm' }), own],
    'scope hook, end of a turn': [scope, input('Stop', told), own],
  })
  const times = Object.fromEntries(Object.keys(commands).map((name) => [name, []]))
  for (let round = -warmUps; round < rounds; round += 1) {
    for (const [name, [command, stdin, more]] of Object.entries(commands)) {
      const took = milliseconds(command, typeof stdin === 'function' ? stdin(round) : stdin, more)
      if (round >= 0) times[name].push(took)
    }
  }
  leave()

  const floor = times['node -e 0']
  console.log(`Hooks: ${rounds} interleaved rounds\n`)
  const ratio = (values) => median(values.map((value, round) => value / floor[round])).toFixed(2)
  const rows = Object.entries(times).map(([name, values]) => [
    ...[name, median(values).toFixed(1), quantile(values, 0.95).toFixed(1), ratio(values)],
  ])
  printTable(['hook', 'median ms', 'p95 ms', 'ratio to node -e 0'], rows)
}
