// An issue that a session works in a worktree of its own: what it left there, whether it is good, and its landing.

import { land, stopped } from '../land/land.ts'
import type { Landing, LandingJob, LandingRun } from '../land/landing-run.ts'
import type { PassPlace } from '../land/verified.ts'
import { verifyWorktree } from '../land/verify.ts'
import { uncommittedIn } from '../land/verify-here.ts'
import { openPlainChildren } from '../programs/children.ts'
import { openGit } from '../programs/git.ts'
import { issueEnvironment } from '../programs/worker-environment.ts'
import { isOurStep } from '../record/made-here.ts'
import type { IssueResult } from '../state/event-schema.ts'
import type { SessionRun } from '../state/fold-session-run.ts'
import type { WorkInput } from '../state/work-schema.ts'
import type { Gate } from '../work/advance.ts'
import { hasChanged } from '../work/commit-changes.ts'
import { fingerprintOf } from '../work/fingerprint.ts'
import { issuePlace } from '../work/issue-place.ts'
import type { Place } from '../work/place.ts'
import { isWithin, treeOf } from '../worktree/commits.ts'
import { findHarm } from '../worktree/harm.ts'
import { removeWorktree } from '../worktree/remove-worktree.ts'
import { saveHarmed } from '../worktree/save-harmed.ts'
import { placeOf } from '../worktree/tree-place.ts'
import { addWorktree } from '../worktree/worktree.ts'
import { counted, keptIn } from './end-text.ts'
import { issueFacts, issueGoal } from './issue-text.ts'
import type { SessionPlace } from './session-place.ts'
import { endOfSlowCheck, type SlowCheck, startCheck } from './slow-check.ts'
import { landingTooSlow, landingWaits, tooSlow, tooSlowHere } from './too-slow.ts'
import type { TurnWorld } from './turn-world.ts'

type Issue = { readonly run: LandingRun; readonly job: LandingJob; readonly now: SessionRun }

/** The place of the issue that is worked; the caller adds the rest. */
export function sessionIssue(issue: Issue, world: TurnWorld): Omit<SessionPlace, 'wasClosed' | 'next' | 'close'> {
  const { run, job, now } = issue
  const place = issuePlace(run, job)
  const tree = () => placeOf(run.repository, job.worktree)
  return {
    async look() {
      const left = await fingerprintOf(openGit(openPlainChildren(world.env)), tree())
      return { left, changed: await hasChanged(run, job), uncommitted: await uncommittedIn(run.git, tree()) }
    },
    facts: (isBrief = false) => issueFacts(run, job, isBrief),
    goal: async () => issueGoal(job.issue),
    perform: (gate) => perform(issue, place, gate),
    finish: (end) => (end.outcome === 'cancelled' && now.keeps ? keep(issue, end.reason) : place.finish(end)),
  }
}

type Mending = Pick<LandingRun, 'id' | 'base' | 'git' | 'repository' | 'identity' | 'store' | 'journal'>

/**
 * A worktree that somebody took away, or that is not as it was made, is made again; what was in it is kept under a ref.
 * Says so, if it did.
 */
export async function ensureWorktree(
  run: Mending,
  { worktree, issue, worker }: LandingJob,
): Promise<string | undefined> {
  const { git, repository, base, id, identity, store } = run
  const harm = findHarm(repository.commonDir, worktree)
  if (harm === undefined) return undefined
  let told = `${worktree.path} ${harm}: it is made again, what was committed is kept below refs/loop/salvage`
  if (harm !== 'is gone') {
    const message = `State of the worktree of ${issue.id}\n\nIssue: ${issue.id}\n`
    const options = { run: id, base: `refs/heads/${base}`, message, identity }
    const kept = await saveHarmed(git, repository, worktree, options)
    const where = kept === undefined ? '' : `, what was in it is kept in ${kept}`
    told = `${worktree.path} ${harm}: it is made again${where}`
    await run.journal.tell({ event: 'warned', text: told })
  }
  await removeWorktree(git, repository, worktree, { keepBranch: true })
  await addWorktree(git, repository, worktree, { base, run: id, of: issue, bus: store.path, worker })
  return told
}

/** Verifying and landing put the worktree right to what is committed: nothing else may be there. */
async function perform(issue: Issue, place: Place, gate: Gate): Promise<WorkInput> {
  const { run, job } = issue
  const changed = await hasChanged(run, job)
  const open = await uncommittedIn(run.git, placeOf(run.repository, job.worktree))
  const output = `These are not committed: ${open.slice(0, 20).join(', ')}. Commit what belongs to it, remove the rest.`
  switch (gate.do) {
    case 'verify':
      return open.length > 0 ? { of: 'verify', passed: false, changed, output } : verifyIssue(issue, changed)
    case 'review':
      if (open.length > 0) return { of: 'review', verdict: 'missing', output }
      return place.perform(gate, AbortSignal.timeout(run.timeoutMs))
    case 'land':
      return open.length > 0 ? { of: 'landing', end: 'unverified', output } : landIssue(issue)
  }
}

/** In this process where a hook has the time; else, and when it was cut off before, in one of its own. */
async function verifyIssue({ run, job }: Issue, changed: boolean): Promise<WorkInput> {
  const { place, check } = await checkOf({ run, job })
  const until = run.now() + run.timeoutMs
  const ended = await endOfSlowCheck(place, check, { store: run.store, now: run.now, until })
  if (ended === 'running') return { of: 'verify', passed: false, changed, cut: true, output: tooSlow(run.verify) }
  if (ended !== undefined && !ended.passed) return { of: 'verify', changed, ...ended }
  const { passed, output } = await verifyWorktree(run, job, new AbortController().signal)
  if (passed || run.now() < until) return { of: 'verify', passed, changed, output }
  const goesOn = startCheck(place, check, run.now())
  const slow = goesOn ? tooSlow(run.verify) : tooSlowHere(run.verify, false)
  return { of: 'verify', passed, changed, cut: true, output: slow }
}

/** The verify command on what the worktree is at, for a process of its own. */
async function checkOf({ run, job }: Pick<Issue, 'run' | 'job'>): Promise<{ place: PassPlace; check: SlowCheck }> {
  const { path } = job.worktree
  const tree = await treeOf(run.git, placeOf(run.repository, job.worktree), 'HEAD')
  const where = { cwd: path, top: path, store: run.store.path, told: issueEnvironment(run, job) }
  const place = { commonDir: run.repository.commonDir, env: run.env }
  return { place, check: { run: run.id, tree, command: run.verify, ...where } }
}

/** A landing that was killed behind its last step has landed. */
async function landIssue({ run, job, now }: Issue): Promise<WorkInput> {
  const step = now.landing
  const sha = step !== undefined && isOurStep(run, step) ? step.sha : undefined
  if (sha !== undefined && (await isWithin(run.git, run.repository.here, sha, `refs/heads/${run.base}`))) {
    await run.tissue.close(job.issue.id, job.worker, job.fence, `landed on ${run.base} as ${sha}`)
    return { of: 'landing', end: 'landed', sha }
  }
  const until = run.now() + run.timeoutMs
  const landing = await land(run, job, AbortSignal.timeout(run.timeoutMs))
  return run.now() < until ? landing : cutShort({ run, job }, landing)
}

/** A landing for which the hook had no time says nothing of the work: its check goes on in a process of its own. */
async function cutShort(issue: Pick<Issue, 'run' | 'job'>, landing: Landing): Promise<Landing> {
  const cut = { of: 'landing', end: 'unverified', cut: true } as const
  if (landing.end === 'claim-lost' && landing.reason === stopped) return { ...cut, output: landingWaits }
  if (landing.end !== 'unverified') return landing
  const { run } = issue
  const { place, check } = await checkOf(issue)
  const goesOn = startCheck(place, check, run.now())
  return { ...cut, output: goesOn ? landingTooSlow(run.verify) : tooSlowHere(run.verify, false) }
}

/** The worktree stays where it is, for whoever wants to look at it. */
async function keep({ run, job }: Issue, reason = 'cancelled'): Promise<IssueResult> {
  const { issue, worker, worktree, iteration } = job
  const kept = keptIn(worktree.path, worktree.branch)
  await run.tissue.comment(issue.id, worker, `Cancelled after ${counted(iteration)}: ${reason}\n\n${kept}\n`)
  await run.tissue.release(issue.id, worker)
  await run.tissue.pause(issue.id, worker)
  const result = { issue: issue.id, outcome: 'cancelled', iterations: iteration, reason } as const
  await run.journal.tell({ event: 'done', worker, ...result })
  return result
}
