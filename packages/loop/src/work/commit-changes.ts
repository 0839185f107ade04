import type { LandingJob, LandingRun } from '../land/landing-run.ts'
import { treeOf } from '../worktree/commits.ts'
import { headOf } from '../worktree/ref-files.ts'
import { placeOf } from '../worktree/tree-place.ts'
import { commitAll, resetTo } from '../worktree/worktree.ts'

/** Whether the tip of the worktree differs from where it began. */
export async function hasChanged(
  { git, repository }: Pick<LandingRun, 'git' | 'repository'>,
  { worktree, from }: Pick<LandingJob, 'worktree' | 'from'>,
): Promise<boolean> {
  const at = placeOf(repository, worktree)
  return (await treeOf(git, at, 'HEAD')) !== (await treeOf(git, at, from))
}

/** Whether the worktree holds something that the base does not, once all of it is committed. */
export async function commitChanges(
  { git, repository, identity }: Pick<LandingRun, 'git' | 'repository' | 'identity'>,
  job: LandingJob,
): Promise<boolean> {
  const at = placeOf(repository, job.worktree)
  const before = await headOf(git, at)
  const message = `${job.issue.title.replace(/\s+/g, ' ').trim()}\n\nIssue: ${job.issue.id}\n`
  const amend = before === job.made ? job.made : undefined
  const snapshot = await commitAll(git, repository, job.worktree, {
    from: job.from,
    amend,
    message,
    identity,
  })
  const { head, tree } = snapshot
  await resetTo(git, repository, job.worktree, head)
  job.made = snapshot.made
  return tree !== (await treeOf(git, at, job.from))
}
