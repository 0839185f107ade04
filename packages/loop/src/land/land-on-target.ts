// What the base gets of a verified change: its commits, named for the issue, as the strategy wants them.
import type { Git } from '../programs/git.ts'
import type { GitPlace } from '../programs/git-place.ts'
import { isOneFor, treeOf } from '../worktree/commits.ts'
import { placeOf } from '../worktree/tree-place.ts'
import type { Landing, LandingJob, LandingRun } from './landing-run.ts'
import type { LandingSettings } from './landing-settings.ts'
import { move } from './move.ts'
import { nameIssue } from './name-issue.ts'
import { propose } from './propose.ts'
import type { Target } from './target.ts'

/**
 * Lands what the worktree is at, which stands verified on the target, or proposes it. Undefined when the base moved
 * first: then it is to be rebased and verified again.
 */
export async function landOnTarget(
  run: LandingRun,
  job: LandingJob,
  target: Target,
  stop: AbortSignal,
): Promise<Landing | undefined> {
  const { git, repository, identity, landing } = run
  const { pr, strategy } = landing
  // Only now, as a change that does not land keeps its commits; the files that were verified stay the same.
  const head = await nameIssue(git, repository, job, target.tip)
  const made = { head, tip: target.tip, strategy, identity }
  const at = placeOf(repository, job.worktree)
  const sha = pr !== undefined && strategy === 'merge' ? head : await landingCommit(git, at, job.issue, made)
  return pr === undefined ? move(run, job, target, sha) : propose(run, job, { sha, pr, stop })
}

type Made = Pick<LandingRun, 'identity'> & Pick<LandingSettings, 'strategy'> & { head: string; tip: string }

/**
 * The commit that the base gets for `head`, which stands on `tip`: `head` itself, one commit that has it all, or a
 * merge commit. All have the same files; the worktree stays at `head`.
 */
async function landingCommit(
  git: Git,
  at: GitPlace,
  issue: LandingJob['issue'],
  { head, tip, strategy, identity }: Made,
): Promise<string> {
  if (strategy === 'rebase' || (strategy === 'squash' && isOneFor(issue.id, head, tip))) return head
  const tree = await treeOf(git, at, head)
  const title = issue.title.replace(/\s+/g, ' ').trim()
  const commit = (subject: string, parents: readonly string[]) =>
    git.run(at, ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-F', '-'], {
      input: `${subject}\n\nIssue: ${issue.id}\n`,
      env: identity,
    })
  if (strategy === 'merge') return commit(`Merge: ${title}`, [tip, head])
  const count = await git.run(at, ['rev-list', '--count', `${tip}..${head}`])
  const message = await git.run(at, ['log', '-1', '--format=%B', head])
  return count === '1' && message.includes(`\nIssue: ${issue.id}`) ? head : commit(title, [tip])
}
