// An issue that has ended: closed, paused or given back, its work kept, its worktree gone.

import { isFailure } from '@switchyard/ground/failure'
import type { LandingJob, LandingRun } from '../land/landing-run.ts'
import { enqueue, keepsBranch, removeEntry } from '../land/queue.ts'
import { endSurvivors } from '../programs/survivors.ts'
import type { Tissue } from '../programs/tissue.ts'
import type { IssueResult } from '../state/event-schema.ts'
import type { End, Outcome } from '../state/work-schema.ts'
import { tail } from '../text/cut-text.ts'
import { findHarm } from '../worktree/harm.ts'
import { headOf } from '../worktree/ref-files.ts'
import { removeWorktree } from '../worktree/remove-worktree.ts'
import { tipOf } from '../worktree/repository.ts'
import { saveHarmed } from '../worktree/save-harmed.ts'
import { placeOf } from '../worktree/tree-place.ts'
import { salvage } from '../worktree/worktree.ts'
import { commitChanges } from './commit-changes.ts'

/** Where work is kept that did not land: of which run, and who commits it. */
type Keeping = Pick<LandingRun, 'id' | 'git' | 'repository' | 'identity'>

/** Keeps what did not land under a ref, when there is something. */
export async function setAside(run: Keeping, job: LandingJob): Promise<void> {
  const { git, repository, identity } = run
  const { worktree, issue } = job
  if (job.from === '') return
  const isWhole = () => findHarm(repository.commonDir, worktree) === undefined
  try {
    if (isWhole()) return await setCommitAside(run, job)
  } catch (error) {
    if (!isFailure(error) || isWhole()) throw error
  }
  const message = `State of the worktree of ${issue.id}\n\nIssue: ${issue.id}\n`
  const saved = await saveHarmed(git, repository, worktree, { run: run.id, base: job.from, message, identity })
  job.salvage = saved ?? job.salvage
}

async function setCommitAside(run: Keeping, job: LandingJob): Promise<void> {
  const { git, repository } = run
  if (!(await commitChanges(run, job))) return
  const at = placeOf(repository, job.worktree)
  const head = await headOf(git, at)
  job.salvage = await salvage(git, repository, job.worktree.slug, run.id, head)
}

/** Settles how an issue ended: with the tracker, and on disk. Nothing of it is left behind but what is said. */
export async function finishIssue(run: LandingRun, job: LandingJob, end: End): Promise<IssueResult> {
  const { tissue, git, repository, base } = run
  const { issue, worker, worktree } = job
  await endSurvivors({ run: run.id, worktree: worktree.path })
  const settled = await closeDone(tissue, base, job, end)
  const { outcome, reason, commit } = settled
  const isOver = outcome === 'landed' || outcome === 'already-done'
  const keepBranch = keepsBranch(outcome)
  removeEntry(repository.commonDir, worktree.slug)
  if (keepBranch) await keepForLater(run, job, settled)
  else if (!isOver) await setAside(run, job)
  if (isPaused(outcome) || (outcome === 'skipped' && job.salvage !== undefined)) {
    const kept = keepBranch ? `branch ${worktree.branch}` : job.salvage
    await tissue.comment(issue.id, worker, farewell(job, settled, base, kept))
  }
  await removeWorktree(git, repository, worktree, { keepBranch })
  if (!isOver) await tissue.release(issue.id, worker)
  if (isPaused(outcome) && !(await isEndedByOther(tissue, job))) await tissue.pause(issue.id, worker)
  return {
    issue: issue.id,
    outcome,
    iterations: job.iteration,
    ...(commit === undefined ? {} : { commit }),
    ...(reason === undefined ? {} : { reason: tail(reason, 4096) }),
    ...(job.salvage === undefined || isOver ? {} : { salvage: job.salvage }),
  }
}

/** What somebody else closed stays so. */
async function isEndedByOther(tissue: Tissue, { issue, worker }: LandingJob): Promise<boolean> {
  const ender = await tissue.enderOf(issue.id)
  return ender !== undefined && ender !== worker
}

/** Closes an issue whose work proved to be on the base already; a landed one is closed by the landing. */
async function closeDone(tissue: Tissue, base: string, { issue, worker, fence }: LandingJob, end: End): Promise<End> {
  if (end.outcome !== 'already-done') return end
  if (await tissue.close(issue.id, worker, fence, `already done on ${base}`)) return end
  const now = await tissue.show(issue.id)
  if (now?.status === 'closed') return end
  return { do: 'end', outcome: 'skipped', reason: 'done on the base already, but the claim went to another' }
}

const isPaused = (outcome: Outcome) => keepsBranch(outcome) || ['gave-up', 'stuck', 'cancelled'].includes(outcome)

/** The branch gets back what a conflict has set aside, and waits in the queue unless it is proposed. */
async function keepForLater(run: LandingRun, job: LandingJob, { outcome, reason = '' }: End): Promise<void> {
  const { git, repository } = run
  const { branch } = job.worktree
  const tip = await tipOf(git, repository, branch)
  if (job.salvage !== undefined && tip === job.from) {
    await git.run(repository.here, ['update-ref', '--no-deref', `refs/heads/${branch}`, job.salvage, tip])
  }
  if (outcome === 'parked' || outcome === 'queued') await enqueue(run, job, { outcome, reason })
}

function farewell(job: LandingJob, end: End, base: string, kept: string | undefined): string {
  const what: Partial<Record<Outcome, string>> = {
    parked: `Landing on ${base} was not possible`,
    queued: `Not landed on ${base} yet (loop land lands it)`,
    proposed: `Proposed for ${base}`,
    stuck: `Stuck after ${job.iteration} iterations`,
    skipped: 'Not landed',
    cancelled: `Stopped after ${job.iteration} iterations`,
  }
  const where = kept === undefined ? 'There is no work to keep.' : `The work is kept in ${kept}.`
  const ended = what[end.outcome] ?? `Given up after ${job.iteration} iterations`
  return `${ended}: ${tail(end.reason ?? '', 4096)}\n\n${where}\n`
}
