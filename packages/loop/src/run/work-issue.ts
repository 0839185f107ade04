// One issue from its claim to its end. What comes next is decided in reduce.ts; here it is done.
import { existsSync } from 'node:fs'
import { isFailure } from '@switchyard/cli-kit/failure'
import { enqueue, keepsBranch, removeEntry } from '../land/queue.ts'
import type { IssueResult } from '../state/event-schema.ts'
import { firstStep } from '../state/reduce.ts'
import type { Outcome, WorkStep } from '../state/work-schema.ts'
import { setUpWorktree } from '../worktree/set-up.ts'
import { addWorktree, removeWorktree, resetTo, salvage } from '../worktree/worktree.ts'
import { drive, type End } from './drive.ts'
import { type Heartbeat, keepClaim } from './heartbeat.ts'
import { commitChanges, performStep } from './issue-steps.ts'
import { tail } from './prompt.ts'
import { environmentOf, type Job, type Run } from './run-state.ts'

const claimLost: End = { do: 'end', outcome: 'skipped', reason: 'the claim went to another' }

/**
 * Works a claimed issue until it ends, and leaves nothing of it behind. When it cannot go on, the claim is given back
 * before it throws.
 */
export async function workIssue(run: Run, job: Job): Promise<IssueResult> {
  const result = await advanceIssue(run, job, { callsMax: Number.POSITIVE_INFINITY })
  if ('issue' in result) return result
  throw new Error(`bug: the work on ${job.issue.id} stopped at ${result.do}`)
}

/**
 * Works a claimed issue on from a step, at most `callsMax` calls of its agent: to its end, or to the step that is next.
 * Without a step, it begins.
 */
async function advanceIssue(
  run: Run,
  job: Job,
  { from, callsMax }: { from?: WorkStep; callsMax: number },
): Promise<IssueResult | Exclude<WorkStep, { do: 'end' }>> {
  const { issue, worker, fence } = job
  const heartbeat = keepClaim(run.tissue, { issue: issue.id, worker, fence, leaseMs: run.leaseMs }, run.note)
  try {
    const broken = from === undefined ? await begin(run, job, heartbeat) : undefined
    const end = broken ?? (await iterate(run, job, heartbeat, { from: from ?? firstStep, callsMax }))
    await heartbeat.stop()
    if (end.do !== 'end') return end
    const result = await finish(run, job, end)
    await run.journal.record({ event: 'done', worker, ...result })
    return result
  } catch (error) {
    await heartbeat.stop()
    await giveBack(run, job)
    throw error
  }
}

/** How the issue ends when its worktree could not be set up; undefined when it could. */
async function begin(run: Run, job: Job, heartbeat: Heartbeat): Promise<End | undefined> {
  const { issue, worker, fence, worktree } = job
  const { path, branch } = worktree
  const ofIssue = { issue: issue.id, worker }
  await run.journal.record({ event: 'claimed', ...ofIssue, fence, title: issue.title, branch, worktree: path })
  job.from = await addWorktree(run.git, run.repository, worktree, { base: run.base, run: run.id, of: issue })
  await run.journal.record({ event: 'began', ...ofIssue, rules: job.work.rules, limits: job.work.limits })
  const signal = AbortSignal.any([run.stop, heartbeat.lost])
  const { timeoutMs, note, settings } = run
  const broken = await setUpWorktree(run, worktree, { settings, timeoutMs, env: environmentOf(run, job), signal, note })
  if (run.stop.aborted) return { do: 'end', outcome: 'failed', reason: 'stopped' }
  if (heartbeat.lost.aborted) return claimLost
  return broken === undefined ? undefined : { do: 'end', outcome: 'failed', reason: broken }
}

/** After a failure of git, tissue or the bus: what can be cleaned up is, the rest is left to the next run. */
async function giveBack(run: Run, job: Job): Promise<void> {
  try {
    await setAside(run, job)
    await removeWorktree(run.git, run.repository, job.worktree, { of: run.id })
    await run.tissue.release(job.issue.id, job.worker)
  } catch (error) {
    if (!isFailure(error)) throw error
    run.leaveToRecovery()
    run.note(`${job.issue.id}: not cleaned up, the next run will: ${error.message}`)
  }
}

/** Goes on from a step until the issue ends, or the agent would be called more often than it may. */
async function iterate(
  run: Run,
  job: Job,
  heartbeat: Heartbeat,
  { from, callsMax }: { from: WorkStep; callsMax: number },
): Promise<WorkStep> {
  const interruption = (): End | undefined => {
    if (run.stop.aborted) return { do: 'end', outcome: 'failed', reason: 'stopped' }
    return heartbeat.lost.aborted ? claimLost : undefined
  }
  return drive(run, job, {
    ...{ issue: job.issue.id, from, callsMax, waits: callsMax === Number.POSITIVE_INFINITY, interruption },
    stop: AbortSignal.any([run.stop, heartbeat.lost]),
    perform: (step, stop) => performStep(run, job, step, stop),
  })
}

/** Keeps what did not land under a ref, when there is something. */
async function setAside(run: Run, job: Job): Promise<void> {
  const { git, repository } = run
  const { path, slug } = job.worktree
  if (job.from === '' || !existsSync(path)) return
  if (!(await commitChanges(run, job))) return
  job.salvage = await salvage(git, repository, slug, run.id, await git.run(path, ['rev-parse', '--verify', 'HEAD']))
}

async function finish(run: Run, job: Job, end: End): Promise<IssueResult> {
  const { tissue, git, repository, base } = run
  const { issue, worker, worktree } = job
  const settled = await closeDone(run, job, end)
  const { outcome, reason, commit } = settled
  const isOver = outcome === 'landed' || outcome === 'already-done'
  const keepBranch = keepsBranch(outcome)
  removeEntry(repository.commonDir, worktree.slug)
  if (keepBranch) await keepForLater(run, job, settled)
  else if (!isOver) await setAside(run, job)
  if (isPaused(outcome)) {
    const kept = keepBranch ? `branch ${worktree.branch}` : job.salvage
    await tissue.comment(issue.id, worker, farewell(job, settled, base, kept))
  }
  await removeWorktree(git, repository, worktree, { keepBranch })
  if (!isOver) await tissue.release(issue.id, worker)
  if (isPaused(outcome)) await tissue.pause(issue.id, worker)
  return {
    issue: issue.id,
    outcome,
    iterations: job.iteration,
    ...(commit === undefined ? {} : { commit }),
    ...(reason === undefined ? {} : { reason: tail(reason, 4096) }),
    ...(job.salvage === undefined || isOver ? {} : { salvage: job.salvage }),
  }
}

/** Closes an issue whose work proved to be on the base already; a landed one is closed by the landing. */
async function closeDone(run: Run, { issue, worker, fence }: Job, end: End): Promise<End> {
  if (end.outcome !== 'already-done') return end
  if (await run.tissue.close(issue.id, worker, fence, `already done on ${run.base}`)) return end
  const now = await run.tissue.show(issue.id)
  if (now?.status === 'closed') return end
  return { do: 'end', outcome: 'skipped', reason: 'done on the base already, but the claim went to another' }
}

const isPaused = (outcome: Outcome) => keepsBranch(outcome) || ['gave-up', 'stuck', 'cancelled'].includes(outcome)

/** The branch gets back what a conflict has set aside, and waits in the queue unless it is proposed. */
async function keepForLater(run: Run, job: Job, { outcome, reason = '' }: End): Promise<void> {
  const { path } = job.worktree
  const head = await run.git.run(path, ['rev-parse', '--verify', 'HEAD'])
  if (job.salvage !== undefined && head === job.from) await resetTo(run.git, job.worktree, job.salvage)
  if (outcome === 'parked' || outcome === 'queued') await enqueue(run, job, { outcome, reason })
}

function farewell(job: Job, end: End, base: string, kept: string | undefined): string {
  const what: Partial<Record<Outcome, string>> = {
    parked: `Landing on ${base} was not possible`,
    queued: `Not landed on ${base} yet (loop queue retry lands it)`,
    proposed: `Proposed for ${base}`,
    stuck: `Stuck after ${job.iteration} iterations`,
    cancelled: `Stopped after ${job.iteration} iterations`,
  }
  const where = kept === undefined ? 'There is no work to keep.' : `The work is kept in ${kept}.`
  const ended = what[end.outcome] ?? `Given up after ${job.iteration} iterations`
  return `${ended}: ${tail(end.reason ?? '', 4096)}\n\n${where}\n`
}
