// The gates of a run: those of a task, or of the issue that is worked in it.
import { Failure } from '@switchyard/cli-kit/failure'
import type { LandingJob, LandingRun } from '../land/landing-run.ts'
import type { Session } from '../state/event-schema.ts'
import { slugOf } from '../worktree/slug.ts'
import { worktreeOf } from '../worktree/worktree.ts'
import { beginNext, leaseOf } from './begin-issue.ts'
import type { SessionRun } from './fold-session-run.ts'
import { type Gates, noWork, taskGates } from './gates.ts'
import { ensureWorktree, issueGates } from './issue-gates.ts'
import { openIssuePlace } from './issue-place.ts'
import type { SessionRecord } from './record.ts'
import type { TurnWorld } from './turn-world.ts'

type Place = {
  readonly record: SessionRecord
  readonly world: TurnWorld
  readonly worker: string
  readonly session: Session
}

/** Opens what judges the work of a run now; `close` it. */
export async function openGates({ record, world, worker }: Place, run: SessionRun): Promise<Gates> {
  if (run.started.mode === 'task') return taskGates(run, world, worker, record.tell)
  const place = await openIssuePlace(run, record, world)
  const next = () => {
    const { ended, started, limits = { iterations: started.max_iterations } } = record.read() ?? run
    return beginNext(place.run, record, { worker, limits, ended })
  }
  try {
    const job = run.claimed === undefined ? undefined : await jobOf(place.run, run, worker, record)
    const gates = job === undefined ? noWork : issueGates({ run: place.run, job, now: run }, world, record)
    return { ...gates, next, close: place.close }
  } catch (error) {
    place.close()
    throw error
  }
}

/** The issue as it is now; its claim is renewed, its worktree is there. */
async function jobOf(run: LandingRun, now: SessionRun, worker: string, record: SessionRecord): Promise<LandingJob> {
  const { claimed } = now
  const issue = claimed && (await run.tissue.show(claimed.issue))
  if (claimed === undefined || issue === undefined) {
    throw new Failure('outside', `expected tissue to know issue ${claimed?.issue}, it does not`)
  }
  const renewed = now.work?.end === undefined ? await run.tissue.claim(issue.id, worker, leaseOf(run)) : undefined
  const fence = renewed?.claim?.id ?? claimed.fence
  if (fence !== claimed.fence) await record.tell({ ...claimed, fence })
  const worktree = worktreeOf(run.repository, slugOf(issue.id))
  const iteration = now.work?.iteration ?? 1
  const job = { issue, worker, fence, worktree, from: '', made: undefined, iteration, salvage: now.salvage }
  if (now.work?.end === undefined) await ensureWorktree(run, job)
  const branch = `refs/heads/${worktree.branch}`
  const from = await run.git.try(run.repository.here, ['merge-base', branch, `refs/heads/${run.base}`])
  return { ...job, from: from.exitCode === 0 ? from.stdout.trim() : '' }
}
