// One issue from its claim to its end. What comes next is decided in reduce.ts; here it is done.
import { isFailure } from '@switchyard/ground/failure'
import { issueEnvironment } from '../programs/worker-environment.ts'
import type { IssueResult } from '../state/event-schema.ts'
import { firstStep } from '../state/reduce.ts'
import type { End, WorkStep } from '../state/work-schema.ts'
import { setAside } from '../work/finish-issue.ts'
import { goOn } from '../work/go-on.ts'
import { type Heartbeat, keepClaim } from '../work/heartbeat.ts'
import { issuePlace } from '../work/issue-place.ts'
import type { Place } from '../work/place.ts'
import { findHarm } from '../worktree/harm.ts'
import { removeWorktree } from '../worktree/remove-worktree.ts'
import type { Repository } from '../worktree/repository.ts'
import { setUpWorktree } from '../worktree/set-up.ts'
import { addWorktree } from '../worktree/worktree.ts'
import { drive } from './drive.ts'
import { callForIssue } from './issue-turn.ts'
import type { Job, Run } from './run-state.ts'

const claimLost = ({ reason }: AbortSignal): End => ({ do: 'end', outcome: 'skipped', reason: String(reason) })

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
export async function advanceIssue(
  run: Run,
  job: Job,
  { from, callsMax }: { from?: WorkStep; callsMax: number },
): Promise<IssueResult | Exclude<WorkStep, { do: 'end' }>> {
  const heartbeat = keepClaim(run.tissue, job, run)
  const place = issuePlace(run, job)
  try {
    const first = from ?? (await begin(run, job, heartbeat))
    const end = first.do === 'end' ? first : await iterate(run, job, heartbeat, { place, from: first, callsMax })
    await heartbeat.stop()
    return end.do === 'end' ? await place.finish(end) : end
  } catch (error) {
    await heartbeat.stop()
    const harm = isFailure(error) ? harmTo(run.repository, job) : undefined
    if (harm !== undefined) return place.finish(harm)
    await giveBack(run, job)
    throw error
  }
}

/** How the issue ends when its worktree is not as it was made: whoever worked there did that, and would do it again. */
function harmTo({ commonDir }: Repository, { worktree, from }: Job): End | undefined {
  const harm = from === '' ? undefined : findHarm(commonDir, worktree)
  if (harm === undefined) return undefined
  return { do: 'end', outcome: 'gave-up', reason: `the worktree ${worktree.path} ${harm}` }
}

/** The first step in a new worktree; the end when that could not be set up. */
async function begin(run: Run, job: Job, heartbeat: Heartbeat): Promise<WorkStep> {
  const { issue, worker, fence, worktree } = job
  const { path, branch } = worktree
  const ofIssue = { issue: issue.id, worker }
  await run.journal.tell({ event: 'claimed', ...ofIssue, fence, title: issue.title, branch, worktree: path })
  const made = { base: run.base, run: run.id, of: issue, bus: run.store.path, worker }
  job.from = await addWorktree(run.git, run.repository, worktree, made)
  await run.journal.tell({ event: 'began', ...ofIssue, rules: job.work.rules, limits: job.work.limits })
  const left = await goOn(run, job)
  const signal = AbortSignal.any([run.stop, heartbeat.lost])
  const { timeoutMs, note, settings } = run
  const broken = await setUpWorktree(run, worktree, {
    settings,
    timeoutMs,
    env: issueEnvironment(run, job),
    signal,
    note,
  })
  if (run.stop.aborted) return { do: 'end', outcome: 'failed', reason: 'stopped' }
  if (heartbeat.lost.aborted) return claimLost(heartbeat.lost)
  if (broken !== undefined) return { do: 'end', outcome: 'failed', reason: broken }
  return left === undefined ? firstStep : { do: 'run', iteration: 1, feedback: left }
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
  { place, from, callsMax }: { place: Place; from: WorkStep; callsMax: number },
): Promise<WorkStep> {
  const interruption = (): End | undefined => {
    if (run.stop.aborted) return { do: 'end', outcome: 'failed', reason: 'stopped' }
    return heartbeat.lost.aborted ? claimLost(heartbeat.lost) : harmTo(run.repository, job)
  }
  return drive(run, job, {
    ...{ issue: job.issue.id, place, from, callsMax, waits: callsMax === Number.POSITIVE_INFINITY, interruption },
    stop: AbortSignal.any([run.stop, heartbeat.lost]),
    async call(turn, stop) {
      try {
        return await callForIssue(run, job, turn, stop)
      } finally {
        await heartbeat.endTurn()
      }
    },
  })
}
