import type { Shown } from '@switchyard/cli-kit'
import { inRow } from '@switchyard/cli-kit/in-row'
import type { Preview } from '../by-hand/preview-schema.ts'
import type { OnceResult } from '../by-runner/once-schema.ts'
import type { DroppedEntry, ListedEntry } from '../land/queue-schema.ts'
import type { IssueResult } from '../state/event-schema.ts'
import type { RunStatus } from '../state/status-schema.ts'

/** One line an issue as it ends; `--quiet` prints the ids of those that landed. */
export const shownResult: Shown<IssueResult> = {
  text: ({ issue, outcome, commit, reason, salvage }) => {
    const parts = [issue, outcome]
    if (commit !== undefined) parts.push(commit.slice(0, 10))
    if (reason !== undefined) parts.push(reason.split('\n')[0] ?? '')
    if (salvage !== undefined) parts.push(`kept in ${salvage}`)
    return inRow(parts.join('  '))
  },
  id: ({ issue }) => issue,
}

/** One line of how a task or an issue stands after an iteration; `--quiet` prints the run. */
export const shownOnce: Shown<OnceResult> = {
  text: ({ issue, iteration, max, outcome, commit, reason, salvage }) => {
    const parts = [issue, `iteration ${iteration} of ${max}`, outcome ?? 'not yet']
    if (commit !== null) parts.push(commit.slice(0, 10))
    if (reason !== null) parts.push(reason.split('\n')[0] ?? '')
    if (salvage !== null) parts.push(`kept in ${salvage}`)
    return inRow(parts.join('  '))
  },
  id: ({ run }) => run,
}

/** How a run stands: a line for it, a line for each worker. */
export const shownStatus: Shown<RunStatus> = { text: renderStatus, id: ({ run }) => run }

function renderStatus(status: RunStatus): string {
  const { run, mode, goal, base, landed, already_done, not_landed, max, session, workers } = status
  const counts = `onto ${base}  ${landed} landed, ${already_done} already done, ${not_landed} not landed`
  const what = mode === 'task' ? (goal?.split('\n')[0] ?? '') : counts
  const lines = [`${run}  ${stateOf(status)}  ${session === null ? '' : `${session.host}:${session.id}  `}${what}`]
  for (const { worker, issue_id, phase, iteration, title } of workers) {
    const name = worker.slice(worker.lastIndexOf('-') + 1)
    const issue = mode === 'task' ? '' : `${issue_id}  `
    lines.push(
      issue_id === null
        ? `  ${name}  idle`
        : `  ${name}  ${issue}${phase}  ${iteration}/${max}  ${title ?? ''}`.trimEnd(),
    )
  }
  return [...lines, ...endOf(status)].map(inRow).join('\n')
}

/** A task that is over says how it ended; of issues each has an end of its own. */
function stateOf({ state, mode, outcome }: RunStatus): string {
  return state === 'finished' && mode === 'task' && outcome !== null ? outcome : state
}

/** Why what ended last did not do, on a line. */
function endOf({ workers, outcome, reason, iteration, max }: RunStatus): string[] {
  if (outcome === null || reason === null || workers.some(({ issue_id }) => issue_id !== null)) return []
  return [`  ${outcome}  ${iteration}/${max}  ${reason.split('\n')[0]}`]
}

/** A change that could not land yet. */
export const shownEntry: Shown<ListedEntry> = {
  text: ({ issue, outcome, branch, reason, made_here }) => {
    const whose = made_here ? '' : 'not of this machine  '
    return inRow(`${issue}  ${outcome}  ${branch}  ${whose}${reason.split('\n')[0]}`)
  },
  id: ({ issue }) => issue,
}

/** What a landing would do. */
export const shownPreview: Shown<Preview> = {
  text: ({ branch, base, commits, rebase, conflicts, verify, verified, strategy, push }) => {
    const parts = [`${branch} onto ${base}: ${commits} ${commits === 1 ? 'commit' : 'commits'}, ${strategy}`]
    if (conflicts.length > 0) parts.push(`conflicts in ${conflicts.join(', ')}`)
    else if (rebase) parts.push('the base has moved since')
    const known = verified ? ', which has passed on these files' : ''
    parts.push(verify === null ? 'not verified' : `to be verified by ${verify}${known}`)
    if (push !== null) parts.push(`pushed to ${push}`)
    return inRow(parts.join('; '))
  },
  id: ({ branch }) => branch,
}

/** A change that was dropped from the queue. */
export const shownDropped: Shown<DroppedEntry> = {
  text: ({ issue, salvage }) => inRow(`${issue}  dropped${salvage === null ? '' : `  kept in ${salvage}`}`),
  id: ({ issue }) => issue,
}
