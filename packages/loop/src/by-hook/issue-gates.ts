// An issue that a session works in a worktree of its own: what it left there, whether it is good, and its landing.

import { land, stopped } from '../land/land.ts'
import type { Landing, LandingJob, LandingRun } from '../land/landing-run.ts'
import type { PassPlace } from '../land/verified.ts'
import { verify } from '../land/verify.ts'
import { uncommittedIn } from '../land/verify-here.ts'
import { openPlainChildren } from '../programs/children.ts'
import { openGit } from '../programs/git.ts'
import { issueEnvironment } from '../programs/worker-environment.ts'
import type { Journal } from '../record/journal.ts'
import { isOurStep } from '../record/made-here.ts'
import { reviewIssue } from '../review/call-reviewer.ts'
import type { IssueResult } from '../state/event-schema.ts'
import type { SessionRun } from '../state/fold-session-run.ts'
import type { WorkInput } from '../state/work-schema.ts'
import { hasChanged } from '../work/commit-changes.ts'
import { fingerprintOf } from '../work/fingerprint.ts'
import { finishIssue } from '../work/finish-issue.ts'
import { findHarm } from '../worktree/harm.ts'
import { removeWorktree } from '../worktree/remove-worktree.ts'
import { saveHarmed } from '../worktree/save-harmed.ts'
import { placeOf } from '../worktree/tree-place.ts'
import { addWorktree, isWithin, treeOf } from '../worktree/worktree.ts'
import { because, counted, type Gates, inWords } from './gates.ts'
import { issueFacts, issueGoal } from './issue-text.ts'
import { endOfSlowCheck, type SlowCheck, startCheck } from './slow-check.ts'
import { landingTooSlow, landingWaits, tooSlow, tooSlowHere } from './too-slow.ts'
import type { TurnWorld } from './turn-world.ts'

type Issue = { readonly run: LandingRun; readonly job: LandingJob; readonly now: SessionRun }

/** Gates of the issue that is worked; the caller adds the others. */
export function issueGates(
  issue: Issue,
  world: TurnWorld,
  record: Journal,
): Omit<Gates, 'wasClosed' | 'next' | 'close'> {
  const { run, job, now } = issue
  const place = () => placeOf(run.repository, job.worktree)
  return {
    async look() {
      const left = await fingerprintOf(openGit(openPlainChildren(world.env)), place())
      return { left, changed: await hasChanged(run, job), uncommitted: await uncommittedIn(run.git, place()) }
    },
    facts: (isBrief = false) => issueFacts(run, job, isBrief),
    goal: async () => issueGoal(job.issue),
    perform: (step) => perform(issue, step.do),
    async finish(end) {
      if (end.outcome === 'cancelled' && now.keeps) return keep(issue, record, end.reason)
      const result = await finishIssue(run, job, end)
      await record.tell({ event: 'done', worker: job.worker, ...result })
      const { outcome, reason, commit, iterations } = result
      const where = commit === undefined ? '' : ` on ${run.base} as ${commit.slice(0, 10)}`
      const ended = `${inWords(outcome)}${where} after ${counted(iterations)}${because(reason)}`
      return `issue ${job.issue.id} is ${ended}.${tryAgain(result)}`
    },
  }
}

/** What a person can do now about an issue that was given up. */
function tryAgain({ issue, outcome, salvage }: IssueResult): string {
  if (outcome !== 'stuck' && outcome !== 'gave-up') return ''
  const where = salvage === undefined ? '' : ` Its work is kept in ${salvage};`
  return `${where} tissue status ${issue} open lets it be tried again.`
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
async function perform(issue: Issue, doing: 'verify' | 'review' | 'land'): Promise<WorkInput> {
  const { run, job } = issue
  const changed = await hasChanged(run, job)
  const open = await uncommittedIn(run.git, placeOf(run.repository, job.worktree))
  const output = `These are not committed: ${open.slice(0, 20).join(', ')}. Commit what belongs to it, remove the rest.`
  switch (doing) {
    case 'verify':
      return open.length > 0 ? { of: 'verify', passed: false, changed, output } : verifyIssue(issue, changed)
    case 'review':
      if (open.length > 0) return { of: 'review', verdict: 'missing', output }
      return reviewIssue(run, job, AbortSignal.timeout(run.timeoutMs))
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
  const { passed, output } = await verify(run, job, new AbortController().signal)
  if (passed || run.now() < until) return { of: 'verify', passed, changed, output: output }
  const goesOn = startCheck(place, check, run.now())
  return {
    of: 'verify',
    passed,
    changed,
    cut: true,
    output: goesOn ? tooSlow(run.verify) : tooSlowHere(run.verify, false),
  }
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
async function keep({ run, job }: Issue, record: Journal, reason = 'cancelled'): Promise<string> {
  const { issue, worker, worktree, iteration } = job
  const kept = `The work is kept in ${worktree.path}, on branch ${worktree.branch}.`
  await run.tissue.comment(issue.id, worker, `Cancelled after ${counted(iteration)}: ${reason}\n\n${kept}\n`)
  await run.tissue.release(issue.id, worker)
  await run.tissue.pause(issue.id, worker)
  await record.tell({ event: 'done', worker, issue: issue.id, outcome: 'cancelled', iterations: iteration, reason })
  return `issue ${issue.id} is cancelled. ${kept}`
}
