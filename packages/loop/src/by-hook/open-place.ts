// The place of a run's work: of its task, or of the issue that is worked in it.
import { Failure } from '@switchyard/ground/failure'
import { identify, sessionVariable } from '@switchyard/topic'
import { jobOf, type LandingJob, type LandingRun } from '../land/landing-run.ts'
import { type Issue, isOver } from '../programs/issue-schema.ts'
import { takeBack } from '../programs/own-end.ts'
import type { Journal } from '../record/journal.ts'
import type { Session } from '../state/event-schema.ts'
import type { SessionRun } from '../state/fold-session-run.ts'
import { slugOf, worktreeOf } from '../worktree/slug.ts'
import { beginNext, leaseOf } from './begin-issue.ts'
import { openLanding } from './open-landing.ts'
import { ensureWorktree, sessionIssue } from './session-issue.ts'
import { noWork, type SessionPlace, sessionTask } from './session-place.ts'
import type { TurnWorld } from './turn-world.ts'

type OwnedRun = {
  readonly record: Journal
  readonly world: TurnWorld
  readonly worker: string
  readonly session: Session
}

/** Opens the place of what a run works now; `close` it. */
export async function openPlace(at: OwnedRun, run: SessionRun): Promise<SessionPlace> {
  const { record, world, worker } = at
  if (run.started.mode === 'task') return sessionTask(run, world, worker, record)
  const landing = await openLanding(run, record, world)
  const next = () => {
    const { ended, started, limits = { iterations: started.max_iterations } } = record.read() ?? run
    return beginNext(landing.run, record, { worker, limits, ended })
  }
  try {
    if (run.claimed === undefined) return { ...noWork, next, close: landing.close }
    const { job, wasClosed, mended = [] } = await openJob(landing.run, run, at)
    const place = sessionIssue({ run: landing.run, job, now: run }, world)
    const facts = async (isBrief?: boolean) => [...mended, ...(await place.facts(isBrief))]
    return { ...place, facts, wasClosed, next, close: landing.close }
  } catch (error) {
    landing.close()
    throw error
  }
}

/** `mended`: what the agent has to know of its worktree, which was made again. */
type Opened = { job: LandingJob; wasClosed: boolean; mended?: readonly string[] }

/** The issue as it is now; its claim is renewed, its worktree is there. */
async function openJob(run: LandingRun, now: SessionRun, at: OwnedRun): Promise<Opened> {
  const { claimed } = now
  const { worker, record } = at
  const issue = claimed && (await run.tissue.show(claimed.issue))
  if (claimed === undefined || issue === undefined) {
    throw new Failure('outside', `expected tissue to know issue ${claimed?.issue}, it does not`)
  }
  const isAtWork = now.work?.end === undefined
  const wasClosed = isAtWork && (await isOwnEnd(run, issue, at))
  const held = { issue: issue.id, worker, leaseMs: leaseOf(run.repository) }
  const renewed = wasClosed
    ? await takeBack(run.tissue, held)
    : isAtWork && (await run.tissue.claim(issue.id, worker, held.leaseMs))?.claim?.id
  const fence = renewed || claimed.fence
  if (fence !== claimed.fence) await record.tell({ ...claimed, fence })
  const worktree = worktreeOf(run.repository, slugOf(issue.id))
  const iteration = now.work?.iteration ?? 1
  const job = { ...jobOf({ issue, worker, fence, worktree, iteration }), salvage: now.salvage }
  const mended = isAtWork ? await ensureWorktree(run, job) : undefined
  const branch = `refs/heads/${worktree.branch}`
  const from = await run.git.try(run.repository.here, ['merge-base', branch, `refs/heads/${run.base}`])
  const begun = { ...job, from: from.exitCode === 0 ? from.stdout.trim() : '' }
  return { job: begun, wasClosed, ...(mended === undefined ? {} : { mended: [mended] }) }
}

/** Whether the session ended it, as its worker or by the name that its commands have. */
async function isOwnEnd(
  { tissue, store }: Pick<LandingRun, 'tissue' | 'store'>,
  issue: Issue,
  { worker, session, world }: OwnedRun,
) {
  if (!isOver(issue)) return false
  const { JWZ_AGENT } = world.env
  const env = { ...sessionVariable(session), ...(JWZ_AGENT === undefined ? {} : { JWZ_AGENT }) }
  return [worker, identify({ env, store })].includes((await tissue.enderOf(issue.id)) ?? '')
}
