// Landing: rebase onto the base, verify what came out of it, check the claim, move the base, close the issue. One at a
// time in a repository.
import { isFailure } from '@switchyard/cli-kit/failure'
import { holdLock } from '@switchyard/jsonl'
import type { Job, Run } from '../run/run-state.ts'
import type { WorkInput } from '../state/work-schema.ts'
import { landingLock, tipOf } from '../worktree/repository.ts'
import { resetTo, salvage, treeOf } from '../worktree/worktree.ts'
import { advance } from './advance.ts'
import { findPass } from './verified.ts'
import { verify } from './verify.ts'

type Landing = Extract<WorkInput, { of: 'landing' }>

const racesMax = 5
const lockAttemptMs = 2000
const lockWaitMsMax = 6 * 3_600_000

/**
 * Lands the tip of the worktree's branch. The lock of landings is held through the verify command, so that what was
 * verified is what lands; others wait for it.
 */
export async function land(run: Run, job: Job, stop: AbortSignal): Promise<Landing> {
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
    if (stop.aborted) return { of: 'landing', end: 'claim-lost', reason: 'stopped' }
  }
}

/** A landing that lost its lock while the verify command ran, or before the base was moved: it is made again. */
const isCutShort = ({ end }: Landing) => end === 'unverified' || end === 'claim-lost'

async function landInside(run: Run, job: Job, stop: AbortSignal): Promise<Landing> {
  await run.recover()
  for (let attempt = 1; attempt <= racesMax; attempt++) {
    const before = await tipOf(run.git, run.repository, run.base)
    const prepared = await prepare(run, job, before, stop)
    if (typeof prepared !== 'string') return prepared
    const lost = await claimLoss(run, job)
    if (lost !== undefined) return { of: 'landing', end: 'claim-lost', reason: lost }
    if (stop.aborted) return { of: 'landing', end: 'claim-lost', reason: 'stopped' }
    const landed = await move(run, job, before, prepared)
    if (landed !== undefined) return landed
  }
  return { of: 'landing', end: 'parked', reason: `${run.base} moved ${racesMax} times while landing` }
}

/** The commit to land, a verified descendant of `tip`; or why there is none. */
async function prepare(run: Run, job: Job, tip: string, stop: AbortSignal): Promise<string | Landing> {
  const { git } = run
  const { path } = job.worktree
  const files = await rebase(run, job, tip)
  if (files !== undefined) return { of: 'landing', end: 'conflict', files, output: '' }
  job.from = tip
  const head = await git.run(path, ['rev-parse', '--verify', 'HEAD'])
  const tree = await treeOf(git, path, head)
  if (tree === (await treeOf(git, path, tip))) {
    await resetTo(git, job.worktree, tip)
    job.made = undefined
    return { of: 'landing', end: 'empty' }
  }
  if (findPass(run.repository.commonDir, tree, run.verify, run.now()) !== undefined) return head
  const { passed, output } = await verify(run, job, stop)
  return passed ? head : { of: 'landing', end: 'unverified', output }
}

/**
 * Rebases onto `tip`. On a conflict the commits are set aside, the worktree is set to `tip`, and the files are named.
 */
async function rebase(run: Run, job: Job, tip: string): Promise<string[] | undefined> {
  const { git, repository } = run
  const { path, slug } = job.worktree
  const head = await git.run(path, ['rev-parse', '--verify', 'HEAD'])
  if ((await git.try(path, ['merge-base', '--is-ancestor', tip, head])).exitCode === 0) return undefined
  const rebased = await git.try(path, ['rebase', '--quiet', '--empty=drop', '--no-autosquash', tip], {
    env: run.identity,
  })
  if (rebased.exitCode === 0) {
    const message = await git.run(path, ['log', '-1', '--format=%B', 'HEAD'])
    const isOurs = job.made === head && message.trimEnd().endsWith(`\nIssue: ${job.issue.id}`)
    job.made = isOurs ? await git.run(path, ['rev-parse', '--verify', 'HEAD']) : undefined
    return undefined
  }
  const unmerged = await git.try(path, ['diff', '--name-only', '--diff-filter=U', '-z'])
  const files = unmerged.stdout.split('\0').filter((file) => file !== '')
  await git.try(path, ['rebase', '--abort'])
  job.salvage = await salvage(git, repository, slug, run.id, head)
  await resetTo(git, job.worktree, tip)
  job.from = tip
  job.made = undefined
  const { issue, worker } = job
  await run.journal.record({ event: 'conflict', issue: issue.id, worker, files, salvage: job.salvage })
  return files
}

async function claimLoss(run: Run, { issue, worker, fence }: Job): Promise<string | undefined> {
  const now = await run.tissue.show(issue.id)
  if (now === undefined) return 'the issue is gone'
  if (now.status === 'closed' || now.status === 'duplicate') return `the issue is ${now.status}`
  if (now.claim?.id === fence && now.claim.by === worker) return undefined
  return now.claim ? `${now.claim.by} holds the issue now` : 'the claim was given back'
}

/** Undefined when the base moved first: prepare again. */
async function move(run: Run, job: Job, before: string, sha: string): Promise<Landing | undefined> {
  const { git, repository, base, journal, tissue } = run
  const { issue, worker, fence } = job
  const at = { issue: issue.id, worker, sha, base_before: before }
  await journal.record({ event: 'landing', ...at })
  const moved = await advance(git, repository, { base, before, sha, reason: `loop: land ${issue.id}` })
  if (moved.end === 'raced') return undefined
  if (moved.end === 'refused') {
    await journal.record({ event: 'parked', issue: issue.id, worker, sha, reason: moved.reason })
    return { of: 'landing', end: 'parked', reason: moved.reason }
  }
  await journal.record({ event: 'landed', ...at })
  const isClosed = await tissue.close(issue.id, worker, fence, `landed on ${base} as ${sha}`)
  if (!isClosed) run.note(`${issue.id}: landed, but tissue would not close it; see tissue show ${issue.id}`)
  return { of: 'landing', end: 'landed', sha }
}
