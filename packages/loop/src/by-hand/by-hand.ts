// A landing that somebody asks for: the same steps under the same lock as those of a run, of which it is a small one.
// The issue and the worktree are left as they were when it does not land.
import { Failure, isFailure } from '@switchyard/ground/failure'
import type { Run } from '../by-runner/run-state.ts'
import type { ChangeToLand } from '../land/find-change.ts'
import { land } from '../land/land.ts'
import { jobOf, type Landing, type LandingJob, type LandingRun } from '../land/landing-run.ts'
import { enqueue, removeEntry } from '../land/queue.ts'
import { uncovered } from '../land/review.ts'
import { ensureCommitted } from '../land/verify-here.ts'
import type { Issue } from '../programs/issue-schema.ts'
import type { Tissue } from '../programs/tissue.ts'
import { issueEnvironment } from '../programs/worker-environment.ts'
import { reviewIssue } from '../review/call-reviewer.ts'
import type { IssueResult } from '../state/event-schema.ts'
import { keepClaim } from '../work/heartbeat.ts'
import { writeRecord } from '../worktree/record.ts'
import { removeWorktree } from '../worktree/remove-worktree.ts'
import { tipOf } from '../worktree/repository.ts'
import { setUpWorktree } from '../worktree/set-up.ts'
import { placeOf } from '../worktree/tree-place.ts'

export type ByHand = {
  worker: string
  /** Undefined: nothing is verified, which is recorded. */
  verify: string | undefined
  /** Worktree and branch stay also after it has landed. */
  keep: boolean
}

/** Failure `conflict` when another holds the issue or a run works in the worktree, `failed` when it is not committed. */
export async function landByHand(opened: Run, change: ChangeToLand, options: ByHand): Promise<IssueResult> {
  const { git, repository } = opened
  const { worktree } = change
  if (change.locked?.startsWith('loop ')) {
    throw new Failure('conflict', `expected ${worktree.path} to be free, ${change.locked} works in it`)
  }
  if (change.isThere) await ensureCommitted(git, placeOf(repository, worktree))
  const title = (await git.run(repository.here, ['log', '-1', '--format=%s', `refs/heads/${worktree.branch}`])).trim()
  const isTracked = change.issue !== undefined
  const id = change.issue ?? worktree.slug
  const tissue = isTracked ? opened.tissue : untracked({ id, title, worker: options.worker })
  const verifies = options.verify !== undefined
  const run = {
    ...opened,
    tissue,
    landing: { ...opened.landing, byHand: true },
  }
  const before = await tissue.show(id)
  const claimed = await claim(tissue, id, options.worker, opened.leaseMs)
  const { branch, path } = worktree
  const ofIssue = { issue: id, worker: options.worker }
  await run.journal.tell({ event: 'claiming', ...ofIssue, slug: worktree.slug })
  const fence = claimed.claim?.id ?? ''
  await run.journal.tell({ event: 'claimed', ...ofIssue, fence, title: claimed.title, branch, worktree: path })
  await run.journal.tell({ event: 'began', ...ofIssue, rules: run.rules, limits: run.limits })
  if (!verifies) await run.journal.tell({ event: 'warned', text: `${id}: landing without verifying` })
  const from = await tipOf(git, repository, branch)
  const job = { ...jobOf({ issue: claimed, worker: options.worker, fence, worktree, iteration: 1 }), from }
  try {
    const broken = change.isThere ? undefined : await makeWorktree(run, job, opened)
    const result = broken ?? (await tryLanding(run, job, opened))
    await settle(run, change, result, { before, keep: options.keep })
    await run.journal.tell({ event: 'done', worker: options.worker, ...result })
    return result
  } catch (error) {
    if (isFailure(error) && before?.claim == null) await run.tissue.release(id, options.worker)
    throw error
  }
}

/** The worktree of a branch that has none, set up as for a run; why it could not be. */
async function makeWorktree(run: LandingRun, job: LandingJob, opened: Run): Promise<IssueResult | undefined> {
  const { git, repository, base, timeoutMs, note } = run
  const { issue, worktree, from } = job
  await git.run(repository.here, ['worktree', 'add', '--quiet', worktree.path, worktree.branch])
  writeRecord(repository.commonDir, worktree.path, { v: 1, id: issue.id, issue: true, base, from, ready: false })
  const { settings, stop } = opened
  const options = { settings, timeoutMs, env: issueEnvironment(run, job), signal: stop, note }
  const reason = await setUpWorktree(run, worktree, options)
  return reason === undefined ? undefined : { issue: issue.id, iterations: 0, outcome: 'failed', reason }
}

async function claim(tissue: Tissue, id: string, worker: string, leaseMs: number): Promise<Issue> {
  const claimed = await tissue.claim(id, worker, leaseMs)
  if (claimed !== undefined) return claimed
  const now = await tissue.show(id)
  const why = now?.claim == null ? `it is ${now?.status ?? 'gone'}` : `${now.claim.by} holds it`
  throw new Failure('conflict', `expected to get the issue ${id}, ${why}`)
}

async function tryLanding(run: LandingRun, job: LandingJob, { leaseMs, stop, note }: Run): Promise<IssueResult> {
  const { issue, worker } = job
  const heartbeat = keepClaim(run.tissue, job, { leaseMs, note })
  try {
    const asked = AbortSignal.any([stop, heartbeat.lost])
    await askReviewer(run, job, asked)
    const landing = await land(run, job, asked)
    if (landing.end === 'empty') await run.tissue.close(issue.id, worker, job.fence, `already done on ${run.base}`)
    if (landing.end === 'queued') await enqueue(run, job, { outcome: 'queued', reason: landing.reason })
    return { issue: issue.id, iterations: 0, ...outcomeOf(landing) }
  } finally {
    await heartbeat.stop()
  }
}

/** Has the reviewer look at what it has not approved yet; the landing judges what it says. */
async function askReviewer(run: LandingRun, job: LandingJob, stop: AbortSignal): Promise<void> {
  if (run.reviewer === undefined || !run.rules.reviews) return
  if ((await uncovered(run, job, `refs/heads/${run.base}`)) !== undefined) await reviewIssue(run, job, stop)
}

function outcomeOf(landing: Landing): Pick<IssueResult, 'outcome' | 'commit' | 'reason'> {
  switch (landing.end) {
    case 'landed':
      return { outcome: 'landed', commit: landing.sha }
    case 'empty':
      return { outcome: 'already-done' }
    case 'conflict':
      return { outcome: 'parked', reason: `conflicts in ${landing.files.join(', ')}\n${landing.output}` }
    case 'unverified':
      return { outcome: 'failed', reason: landing.output }
    case 'unreviewed':
      return { outcome: 'failed', reason: `there is no approving review of it\n${landing.output}` }
    case 'claim-lost':
      return { outcome: 'skipped', reason: landing.reason }
    case 'parked':
    case 'queued':
    case 'proposed':
      return { outcome: landing.end, reason: landing.reason }
  }
}

type Before = { before: Issue | undefined; keep: boolean }

async function settle(
  { git, repository, tissue }: Pick<LandingRun, 'git' | 'repository' | 'tissue'>,
  change: ChangeToLand,
  result: IssueResult,
  { before, keep }: Before,
): Promise<void> {
  const { outcome, issue } = result
  const isOver = outcome === 'landed' || outcome === 'already-done'
  if (isOver) removeEntry(repository.commonDir, change.worktree.slug)
  if (isOver && !keep) await removeWorktree(git, repository, change.worktree)
  else if (!change.isThere) await removeWorktree(git, repository, change.worktree, { keepBranch: true })
  if (isOver || outcome === 'skipped' || before?.claim != null) return
  const { by } = (await tissue.show(issue))?.claim ?? { by: '' }
  await tissue.release(issue, by)
  if (before?.status === 'paused' || outcome === 'queued' || outcome === 'proposed') await tissue.pause(issue, by)
}

/** The tracker of a change that belongs to no issue: it is always claimed, and there is nothing to close. */
function untracked({ id, title, worker }: { id: string; title: string; worker: string }): Tissue {
  const issue: Issue = { id, title, body: '', status: 'open', blocked_by: [], claim: { id, by: worker } }
  return {
    all: async () => [],
    ready: async () => [],
    show: async () => issue,
    enderOf: async () => undefined,
    claim: async () => issue,
    close: async () => true,
    reopen: async () => undefined,
    release: async () => undefined,
    pause: async () => undefined,
    comment: async () => undefined,
  }
}
