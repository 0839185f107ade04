import type { LandingJob, LandingRun } from '../land/landing-run.ts'
import { commitAll, resetTo, treeOf } from '../worktree/worktree.ts'

/** Whether the worktree holds something that the base does not, once all of it is committed. */
export async function commitChanges(run: LandingRun, job: LandingJob): Promise<boolean> {
  const { git } = run
  const { path } = job.worktree
  const before = await git.run(path, ['rev-parse', '--verify', 'HEAD'])
  const message = `${job.issue.title.replace(/\s+/g, ' ').trim()}\n\nIssue: ${job.issue.id}\n`
  const amend = before === job.made ? job.made : undefined
  const snapshot = await commitAll(git, job.worktree, { from: job.from, amend, message, identity: run.identity })
  const { head, tree } = snapshot
  await resetTo(git, job.worktree, head)
  job.made = snapshot.made
  return tree !== (await treeOf(git, path, job.from))
}
