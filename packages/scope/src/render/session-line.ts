// Sessions as lines for people.
import type { Shown } from '@switchyard/cli-kit'
import { renderAge } from '@switchyard/cli-kit/age'
import type { SessionView } from '../session/session-schema.ts'

/** How a session stands, in a word or two. */
export const standingOf = ({ status, turn, needs_input }: SessionView): string => {
  if (status === 'running' && needs_input !== null) return 'needs input'
  if (turn === 'paused') return 'paused'
  if (status === 'pending') return turn === 'queued' ? 'queued' : 'starting'
  return status === 'running' && turn === 'idle' ? 'idle' : status
}

/** How far a loop has come, as in `2 of 3, retry, 1/2 gates`. */
export function loopLine({ iteration, max, verdict, gates, criteria }: NonNullable<SessionView['loop']>): string {
  const score = (name: string, of: typeof gates) =>
    of === null || of.total === 0 ? [] : [`${of.passed}/${of.total} ${name}`]
  return [
    `${iteration + 1} of ${max}`,
    ...(verdict === null ? [] : [verdict]),
    ...score('gates', gates),
    ...score('criteria', criteria),
  ].join(', ')
}

/** What an agent did, as in `5 tools (Bash 3, Edit 2), 2 files written`. */
function didLine({ tool_calls, tools, files_written }: NonNullable<SessionView['trajectory']>): string {
  const each = Object.entries(tools).map(([name, count]) => `${name} ${count}`)
  return `${tool_calls} tools${each.length === 0 ? '' : ` (${each.join(', ')})`}, ${files_written} files written`
}

/** Several lines about one session. */
export function renderSession(view: SessionView, now: number): string {
  const { id, alias, task, agent, model, exit_reason, activity, result, needs_input } = view
  const name = alias === null ? id : `${id} (${alias})`
  const rows = [
    `${name}  ${standingOf(view)} since ${renderAge(view.state_since, now)}  ${task}`,
    `  agent     ${agent}${model === null ? '' : ` ${model}`}`,
    ...(view.loop === null ? [] : [`  loop      ${loopLine(view.loop)}`]),
    ...(needs_input === null ? [] : [`  asks      ${needs_input}`]),
    ...(activity === '' ? [] : [`  activity  ${activity}`]),
    ...(view.children.length === 0 ? [] : [`  children  ${view.children.join(' ')}`]),
    ...(view.trajectory == null ? [] : [`  did       ${didLine(view.trajectory)}`]),
    ...(exit_reason === null ? [] : [`  reason    ${exit_reason}`]),
    ...(result === null ? [] : ['', result.trimEnd()]),
  ]
  return rows.join('\n')
}

/** A session for people. */
export const shownSession = (now: number): Shown<SessionView> => ({
  text: (view) => renderSession(view, now),
  id: ({ id }) => id,
})
