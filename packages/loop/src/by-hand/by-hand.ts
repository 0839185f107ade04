// A landing that somebody asks for: the same steps under the same lock as those of a run, of which it is a small one.
// The issue and the worktree are left as they were when it does not land.
import { Failure, isFailure } from '@switchyard/ground/failure'
import type { Run } from '../by-runner/run-state.ts'
import type { ChangeToLand } from '../land/find-change.ts'
import { jobOf, type LandingJob, type LandingRun } from '../land/landing-run.ts'
import { enqueue, removeEntry } from '../land/queue.ts'
import { uncovered } from '../land/review.ts'
import { ensureCommitted } from '../land/verify-here.ts'
import type { Issue } from '../programs/issue-schema.ts'
import type { Tissue } from '../programs/tissue.ts'
import { issueEnvironment } from '../programs/worker-environment.ts'
import type { IssueResult } from '../state/event-schema.ts'
import { endByHand } from '../state/reduce.ts'
import type { End, WorkStep } from '../state/work-schema.ts'
import { advance } from '../work/advance.ts'
import { keepClaim } from '../work/heartbeat.ts'
import { issuePlace } from '../work/issue-place.ts'
import type { Place } from '../work/place.ts'
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
    const place = placeByHand(run, job, change, { before, keep: options.keep })
    const broken = change.isThere ? undefined : await makeWorktree(run, job, opened)
    return await place.finish(broken ?? (await passGates(run, job, place, opened)))
  } catch (error) {
    if (isFailure(error) && before?.claim == null) await run.tissue.release(id, options.worker)
    throw error
  }
}

/** The worktree of a branch that has none, set up as for a run; why it could not be. */
async function makeWorktree(run: LandingRun, job: LandingJob, opened: Run): Promise<End | undefined> {
  const { git, repository, base, timeoutMs, note } = run
  const { issue, worktree, from } = job
  await git.run(repository.here, ['worktree', 'add', '--quiet', worktree.path, worktree.branch])
  writeRecord(repository.commonDir, worktree.path, { v: 1, id: issue.id, issue: true, base, from, ready: false })
  const { settings, stop } = opened
  const options = { settings, timeoutMs, env: issueEnvironment(run, job), signal: stop, note }
  const reason = await setUpWorktree(run, worktree, options)
  return reason === undefined ? undefined : { do: 'end', outcome: 'failed', reason }
}

async function claim(tissue: Tissue, id: string, worker: string, leaseMs: number): Promise<Issue> {
  const claimed = await tissue.claim(id, worker, leaseMs)
  if (claimed !== undefined) return claimed
  const now = await tissue.show(id)
  const why = now?.claim == null ? `it is ${now?.status ?? 'gone'}` : `${now.claim.by} holds it`
  throw new Failure('conflict', `expected to get the issue ${id}, ${why}`)
}

/** From the reviewer, where there is one who has to look, to the landing, which judges what was said. */
async function passGates(run: LandingRun, job: LandingJob, place: Place, { leaseMs, stop, note }: Run): Promise<End> {
  const heartbeat = keepClaim(run.tissue, job, { leaseMs, note })
  const asked = AbortSignal.any([stop, heartbeat.lost])
  try {
    let step: WorkStep = (await lacksReview(run, job)) ? { do: 'review' } : { do: 'land' }
    const end = await advance({
      next: async () => step,
      perform: (gate) => place.perform(gate, asked),
      async decide(input) {
        step = input.of === 'landing' ? endByHand(input) : { do: 'land' }
        return true
      },
    })
    if (end?.do !== 'end') throw new Error('bug: a landing by hand came to no end')
    return end
  } finally {
    await heartbeat.stop()
  }
}

/** Whether the reviewer has to look at what is not approved yet. */
async function lacksReview(run: LandingRun, job: LandingJob): Promise<boolean> {
  if (run.reviewer === undefined || !run.rules.reviews) return false
  return (await uncovered(run, job, `refs/heads/${run.base}`)) !== undefined
}

type Before = { before: Issue | undefined; keep: boolean }

/** The place of an issue for somebody who lands it: issue and worktree are theirs, and stay when it does not land. */
function placeByHand(run: LandingRun, job: LandingJob, change: ChangeToLand, before: Before): Place {
  return {
    perform: issuePlace(run, job).perform,
    async finish({ do: _, ...ended }) {
      const result = { issue: job.issue.id, iterations: 0, ...ended }
      await settle(run, job, change, ended, before)
      await run.journal.tell({ event: 'done', worker: job.worker, ...result })
      return result
    },
  }
}

async function settle(
  run: LandingRun,
  job: LandingJob,
  { isThere }: ChangeToLand,
  { outcome, reason = '' }: Pick<End, 'outcome' | 'reason'>,
  { before, keep }: Before,
): Promise<void> {
  const { git, repository, tissue, base } = run
  const { issue, worker, fence, worktree } = job
  const isOver = outcome === 'landed' || outcome === 'already-done'
  if (outcome === 'already-done') await tissue.close(issue.id, worker, fence, `already done on ${base}`)
  if (outcome === 'queued') await enqueue(run, job, { outcome, reason })
  if (isOver) removeEntry(repository.commonDir, worktree.slug)
  if (isOver && !keep) await removeWorktree(git, repository, worktree)
  else if (!isThere) await removeWorktree(git, repository, worktree, { keepBranch: true })
  if (isOver || outcome === 'skipped' || before?.claim != null) return
  const { by } = (await tissue.show(issue.id))?.claim ?? { by: '' }
  await tissue.release(issue.id, by)
  if (before?.status === 'paused' || outcome === 'queued' || outcome === 'proposed') await tissue.pause(issue.id, by)
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
