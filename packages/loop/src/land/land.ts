// Landing: rebase onto the base, verify what came out of it, check the claim, move the base, close the issue. One at a
// time in a repository.
import { setTimeout as sleep } from 'node:timers/promises'
import { isFailure } from '@switchyard/ground/failure'
import { fnv1a } from '@switchyard/ground/fnv1a'
import { holdLock } from '@switchyard/jsonl'
import { isOver } from '../programs/issue-schema.ts'
import { endedBy } from '../programs/own-end.ts'
import type { Tissue } from '../programs/tissue.ts'
import { treeOf } from '../worktree/commits.ts'
import { landingLock } from '../worktree/repository.ts'
import { placeOf } from '../worktree/tree-place.ts'
import { resetTo } from '../worktree/worktree.ts'
import { landOnTarget } from './land-on-target.ts'
import type { Landing, LandingJob, LandingRun } from './landing-run.ts'
import { rebaseOnto, startOver } from './rebase.ts'
import { uncovered } from './review.ts'
import { findTarget, type Target } from './target.ts'
import { verifyWorktree } from './verify.ts'

const racesMax = 5
/** Why a landing did not come to its end that was told to stop. */
export const stopped = 'stopped'
const lockAttemptMs = 2000
const lockWaitMsMax = 6 * 3_600_000

/**
 * Lands the tip of the worktree's branch. The lock of landings is held through the verify command, so that what was
 * verified is what lands; others wait for it.
 */
export async function land(run: LandingRun, job: LandingJob, stop: AbortSignal): Promise<Landing> {
  const lock = landingLock(run.repository.commonDir)
  for (let waitedMs = 0; ; waitedMs += lockAttemptMs) {
    let landing: Landing | undefined
    try {
      await holdLock(
        lock,
        async (lost) => {
          const ended = await landInside(run, job, AbortSignal.any([stop, lost]))
          landing = lost.aborted && isCutShort(ended) ? undefined : ended
        },
        { deadlineMs: lockAttemptMs },
      )
    } catch (error) {
      if (!isFailure(error) || (error.kind !== 'lockTimeout' && error.kind !== 'conflict')) throw error
      if (landing === undefined && waitedMs >= lockWaitMsMax) throw error
    }
    // What a landing did is done, also when its lock was lost on the way out.
    if (landing !== undefined) return landing
    if (stop.aborted) return { of: 'landing', end: 'claim-lost', reason: stopped }
  }
}

/** A landing that lost its lock while the verify command ran, or before the base was moved: it is made again. */
const isCutShort = ({ end }: Landing) => end === 'unverified' || end === 'claim-lost'

async function landInside(run: LandingRun, job: LandingJob, stop: AbortSignal): Promise<Landing> {
  const { id, git, repository, tissue, base, landing } = run
  await run.recover()
  for (let attempt = 1; attempt <= racesMax; attempt++) {
    const target = await findTarget(git, repository, { base, landing })
    if ('end' in target) return target
    const failed = await rebaseAndVerify(run, job, target, stop)
    if (failed !== undefined) return failed
    const lost = await claimLoss(tissue, job)
    if (lost !== undefined) return { of: 'landing', end: 'claim-lost', reason: lost }
    if (stop.aborted) return { of: 'landing', end: 'claim-lost', reason: stopped }
    const landed = await landOnTarget(run, job, target, stop)
    if (landed !== undefined) return landed
    if (landing.remote !== undefined) await sleep(pauseMs(id, attempt))
  }
  const reason = `${base} moved ${racesMax} times while landing`
  return { of: 'landing', end: landing.remote === undefined ? 'parked' : 'queued', reason }
}

/** Two that race for a remote wait differently long, so that the same one does not lose each time. */
const pauseMs = (run: string, attempt: number) => (fnv1a(`${run} ${attempt}`) % 400) * attempt

/** Makes the worktree's branch a verified descendant of the target; or says why it is none. */
async function rebaseAndVerify(
  run: LandingRun,
  job: LandingJob,
  { tip }: Target,
  stop: AbortSignal,
): Promise<Landing | undefined> {
  const { git, repository, id, identity, journal, landing } = run
  const rebasing = { git, repository, id, identity }
  const conflict = await rebaseOnto(rebasing, job, tip)
  if (conflict !== undefined) {
    if (landing.byHand) return { of: 'landing', end: 'conflict', ...conflict }
    const salvage = await startOver(rebasing, job, tip)
    const { issue, worker } = job
    await journal.tell({ event: 'conflict', issue: issue.id, worker, files: conflict.files, salvage })
    return { of: 'landing', end: 'conflict', ...conflict, salvage }
  }
  job.from = tip
  const at = placeOf(repository, job.worktree)
  if ((await treeOf(git, at, 'HEAD')) === (await treeOf(git, at, tip))) {
    await resetTo(git, repository, job.worktree, tip)
    job.made = undefined
    return { of: 'landing', end: 'empty' }
  }
  if (run.rules.verifies) {
    const { passed, output } = await verifyWorktree(run, job, stop, { isAgain: true })
    if (!passed) return { of: 'landing', end: 'unverified', output }
  }
  if (!run.rules.reviews) return undefined
  const { store, env, reviewer } = run
  const lacking = await uncovered({ git, repository, id, landing, store, env, reviewer }, job, tip)
  return lacking === undefined ? undefined : { of: 'landing', end: 'unreviewed', output: lacking }
}

async function claimLoss(tissue: Tissue, { issue, worker, fence }: LandingJob): Promise<string | undefined> {
  const now = await tissue.show(issue.id)
  if (now === undefined) return 'the issue is gone'
  if (isOver(now)) return endedBy(await tissue.enderOf(issue.id))
  if (now.claim?.id === fence && now.claim.by === worker) return undefined
  return now.claim ? `${now.claim.by} holds the issue now` : 'the claim was given back'
}
