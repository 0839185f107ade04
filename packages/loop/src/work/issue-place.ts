import { land } from '../land/land.ts'
import type { LandingJob, LandingRun } from '../land/landing-run.ts'
import { verifyWorktree } from '../land/verify.ts'
import { reviewIssue } from '../review/call-reviewer.ts'
import { hasChanged } from './commit-changes.ts'
import { finishIssue } from './finish-issue.ts'
import type { Place } from './place.ts'

/** The place of a claimed issue: a worktree of its own, from which it is verified, reviewed and landed. */
export function issuePlace(run: LandingRun, job: LandingJob): Place {
  return {
    async perform(gate, stop = new AbortController().signal) {
      if (gate.do === 'land') return land(run, job, stop)
      if (gate.do === 'review') return reviewIssue(run, job, stop)
      const { passed, output } = await verifyWorktree(run, job, stop)
      return { of: 'verify', passed, changed: await hasChanged(run, job), output }
    },
    async finish(end) {
      const result = await finishIssue(run, job, end)
      await run.journal.tell({ event: 'done', worker: job.worker, ...result })
      return result
    },
  }
}
