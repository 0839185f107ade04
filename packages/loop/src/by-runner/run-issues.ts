// A run of issues: several workers take and work them until there are no more, or until what they may spend is spent.

import type { Requests } from '@switchyard/cli-kit/drain-signals'
import { type ExitCode, exitCodes } from '@switchyard/ground/failure'
import { workerOfRun } from '../record/worker-name.ts'
import type { IssueResult } from '../state/event-schema.ts'
import { exitCodeOf } from '../state/exit-code.ts'
import { drain } from './drain.ts'
import { openRun, type RunOptions } from './open-run.ts'
import { untilFinished } from './record-end.ts'
import type { Run } from './run-state.ts'
import { type Take, takeFromList, takeReady } from './take.ts'
import { workIssue } from './work-issue.ts'

/** `ids`: exactly these, else what is ready; `max`: claim at most so many. */
type Load = { ids: readonly string[] | undefined; max: number; onResult: (result: IssueResult) => void }

/** Works the issues and gives the exit code. */
export async function runIssues(
  options: Omit<RunOptions, 'stop' | 'draining' | 'isOwned' | 'before'>,
  requests: Requests,
  { ids, max, onResult }: Load,
): Promise<ExitCode> {
  const { stop, draining } = requests
  const { run, close } = await openRun({ ...options, stop, draining, isOwned: true, before: undefined })
  try {
    return await untilFinished(run.journal, requests, async () => {
      const take = ids === undefined ? takeReady(run) : takeFromList(run, ids)
      const results = await drain({
        workers: Array.from({ length: options.jobs }, (_, index) => workerOfRun(run.id, index + 1)),
        ...{ max, draining, onResult, take: unlessHeld(run, take), work: (job) => workIssue(run, job) },
      })
      if (stop.aborted) return requests.code()
      return codeOf(run, results)
    })
  } finally {
    close()
  }
}

/** Takes nothing while the run is paused, and nothing more once it is cancelled or its budget is spent. */
function unlessHeld(run: Run, take: Take): Take {
  return async (worker, others) => {
    await run.controls.poll()
    await run.controls.untilResumed(AbortSignal.any([run.stop, run.draining]))
    if (run.draining.aborted || run.controls.cancelled.aborted || run.ledger.over(run.now()) !== undefined)
      return undefined
    return take(worker, others)
  }
}

function codeOf(run: Pick<Run, 'ledger' | 'now' | 'controls' | 'note'>, results: readonly IssueResult[]): ExitCode {
  const code = exitCodeOf(results)
  const over = run.ledger.over(run.now())
  if (run.controls.cancelled.aborted) return exitCodes.conflict
  if (over !== undefined && (code === exitCodes.done || code === exitCodes.notFound)) {
    run.note(`the run took no more: ${over}`)
    return exitCodes.limit
  }
  if (results.length === 0) run.note('nothing to do')
  return code
}
