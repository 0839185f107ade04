import { placeOf } from '../worktree/tree-place.ts'
import { treeOf } from '../worktree/worktree.ts'
import type { LandingJob, LandingRun } from './landing-run.ts'

/**
 * The commit that the base gets for `head`, which stands on `tip`: `head` itself, one commit that has it all, or a
 * merge commit. All have the same files; the worktree stays at `head`.
 */
export async function landingCommit(
  run: LandingRun,
  { issue, worktree }: LandingJob,
  { head, tip }: { head: string; tip: string },
): Promise<string> {
  const { git, identity, landing } = run
  if (landing.strategy === 'rebase') return head
  const at = placeOf(run.repository, worktree)
  const tree = await treeOf(git, at, head)
  const title = issue.title.replace(/\s+/g, ' ').trim()
  const commit = (subject: string, parents: readonly string[]) =>
    git.run(at, ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-F', '-'], {
      input: `${subject}\n\nIssue: ${issue.id}\n`,
      env: identity,
    })
  if (landing.strategy === 'merge') return commit(`Merge: ${title}`, [tip, head])
  const count = await git.run(at, ['rev-list', '--count', `${tip}..${head}`])
  const message = await git.run(at, ['log', '-1', '--format=%B', head])
  return count === '1' && message.includes(`\nIssue: ${issue.id}`) ? head : commit(title, [tip])
}
