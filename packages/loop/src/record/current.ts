// The newest state of all runs, on `loop:current`: a hint for whoever wants to know without folding.
import { readMessagesBackwards, type Store } from '@switchyard/topic'
import type { RunStatus } from '../state/status-schema.ts'

const currentTopic = 'loop:current'
const snapshotsMax = 1000

/** Runs that moved lately, the newest first. */
export function recentRuns(store: Store): string[] {
  const runs = new Set<string>()
  let looked = 0
  for (const { message } of readMessagesBackwards(store, currentTopic)) {
    const { data } = message
    if (typeof data === 'object' && data !== null && 'run_id' in data && typeof data.run_id === 'string')
      runs.add(data.run_id)
    looked += 1
    if (looked >= snapshotsMax) break
  }
  return [...runs]
}

/** One frame of the stack of `loop:current`: what is worked, the innermost last. */
export type Frame = {
  id: string
  mode: 'task' | 'issue'
  iter: number
  max: number
  issue_id: string | null
  worktree_path: string | null
  branch?: string
  base_ref: string
}

/** The frames of a run that has workers: an issue each. */
export function framesOf(status: RunStatus): Frame[] {
  const { max } = status
  return status.workers.flatMap((worker) =>
    worker.issue_id === null
      ? []
      : [
          {
            id: worker.worker,
            mode: 'issue' as const,
            iter: worker.iteration,
            max,
            issue_id: worker.issue_id,
            worktree_path: worker.worktree,
            base_ref: status.base,
          },
        ],
  )
}

/** The message on `loop:current` that says how a run stands. */
export function snapshot(status: RunStatus, from: string, stack: readonly Frame[]) {
  const { run, state, mode, iteration, max, issue_id, worktree, updated_at } = status
  const isOver = state === 'finished' || state === 'dead'
  const data = {
    schema: 1,
    event: isOver ? 'DONE' : 'STATE',
    run_id: run,
    state,
    mode,
    iteration,
    max,
    issue_id,
    worktree,
    updated_at,
    stack,
  }
  return { topic: currentTopic, from, body: `${run} ${state}${issue_id === null ? '' : ` ${issue_id}`}`, data }
}
