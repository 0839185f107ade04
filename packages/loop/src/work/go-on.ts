// An issue whose last run was killed: its work is brought to where the issue is worked now, and everybody is told.

import type { LandingJob, LandingRun } from '../land/landing-run.ts'
import { unfinishedSubject } from '../recover/clear-worktree.ts'
import { isWithin, treeOf } from '../worktree/commits.ts'
import { headOf } from '../worktree/ref-files.ts'
import { placeOf } from '../worktree/tree-place.ts'
import { findUnfinished, forgetUnfinished } from '../worktree/unfinished.ts'
import { checkOut, resetTo } from '../worktree/worktree.ts'

type Going = Pick<LandingRun, 'base' | 'git' | 'repository' | 'tissue' | 'journal' | 'identity'>

/** What the agent is told of the work that a killed run left; undefined when there is none. */
export async function goOn(run: Going, job: LandingJob): Promise<string | undefined> {
  const { git, repository, tissue } = run
  const { issue, worker, worktree } = job
  const left = await findUnfinished(git, repository, worktree.slug)
  if (left === undefined || (await isWithin(git, repository.here, left.commit, job.from))) {
    await forgetUnfinished(git, repository, worktree.slug)
    return undefined
  }
  const { ref } = left
  const of = ref.split('/').at(-1)?.replace(/-\d+$/, '') ?? ''
  const applied = await bring(run, job, left.commit)
  const died = `Run ${of} died while it worked this issue.`
  const next = applied
    ? 'This run goes on from it.'
    : `It conflicts with what is on ${run.base} now; the work begins anew.`
  await tissue.comment(issue.id, worker, `${died} What it left is kept in ${ref}. ${next}\n`)
  await run.journal.tell({ event: 'resumed', issue: issue.id, worker, salvage: ref, applied })
  await forgetUnfinished(git, repository, worktree.slug)
  if (applied) return `${died} What it left is in this worktree: go on from it. It is kept in ${ref}, too.`
  return `${died} What it left is kept in ${ref}, and conflicts with what is on ${run.base} now: look at it (git show ${ref}) before you begin.`
}

/** False when it does not fit what is on the base now; then the worktree is as it was before. */
async function bring(
  { git, repository, identity }: Pick<LandingRun, 'git' | 'repository' | 'identity'>,
  job: LandingJob,
  commit: string,
): Promise<boolean> {
  const { worktree, from } = job
  const at = placeOf(repository, worktree)
  await resetTo(git, repository, worktree, commit)
  const rebase = ['rebase', '--quiet', '--empty=drop', '--no-autosquash', from, worktree.branch]
  if ((await git.try(at, rebase, { env: identity })).exitCode !== 0) {
    await checkOut(git, repository, worktree, from)
    return false
  }
  const head = await headOf(git, at)
  const isLeft = (await treeOf(git, at, head)) !== (await treeOf(git, at, from))
  if (!isLeft) await resetTo(git, repository, worktree, from)
  const subject = await git.run(at, ['log', '-1', '--format=%s', 'HEAD'])
  if (isLeft && subject.startsWith(unfinishedSubject)) job.made = head
  return true
}
