// How a work of a session ended, and what a person can do now, in a sentence or two.
import type { IssueResult } from '../state/event-schema.ts'
import type { SessionRun } from '../state/fold-session-run.ts'

/** The end of the task, or of the issue that was worked. */
export function endText({ started, claimed, keeps }: SessionRun, result: IssueResult): string {
  const { issue, outcome, commit, iterations, reason } = result
  const ended = `after ${counted(iterations)}${because(reason)}`
  const isOpen = outcome === 'stuck' || outcome === 'gave-up'
  if (started.mode === 'task') return `the task is ${inWords(outcome)} ${ended}.${isOpen ? tryTask(started.cwd) : ''}`
  if (outcome === 'cancelled' && keeps && claimed !== undefined)
    return `issue ${issue} is cancelled. ${keptIn(claimed.worktree, claimed.branch)}`
  const where = commit === undefined ? '' : ` on ${started.base} as ${commit.slice(0, 10)}`
  return `issue ${issue} is ${inWords(outcome)}${where} ${ended}.${isOpen ? tryIssue(result) : ''}`
}

/** So many iterations, in words. */
export const counted = (iterations: number) => `${iterations} ${iterations === 1 ? 'iteration' : 'iterations'}`

/** Where the work of a cancelled issue stays. */
export const keptIn = (worktree: string, branch: string) => `The work is kept in ${worktree}, on branch ${branch}.`

const inWords = (outcome: IssueResult['outcome']) => outcome.replace('gave-up', 'given up').replace('-', ' ')

/** The first line of a reason, behind a colon. */
const because = (reason: string | undefined) =>
  reason === undefined ? '' : `: ${reason.trim().split('\n')[0]?.replace(/[.:]$/, '')}`

const tryTask = (cwd = 'the folder of the session') => ` The work is in ${cwd}; loop start gives the task another try.`

function tryIssue({ issue, salvage }: IssueResult): string {
  const where = salvage === undefined ? '' : ` Its work is kept in ${salvage};`
  return `${where} tissue status ${issue} open lets it be tried again.`
}
