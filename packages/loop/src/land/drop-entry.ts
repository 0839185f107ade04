import { Failure } from '@switchyard/ground/failure'
import { ulid } from '@switchyard/ground/ulid'
import type { Git } from '../programs/git.ts'
import { commitOf } from '../worktree/ref-files.ts'
import { listWorktrees, type Repository } from '../worktree/repository.ts'
import { salvage } from '../worktree/worktree.ts'
import { removeEntry } from './queue.ts'
import type { DroppedEntry, ListedEntry } from './queue-schema.ts'

/**
 * Failure `conflict` when the branch is checked out. A branch that is gone already leaves nothing to keep. Of an entry
 * that this machine did not make the branch stays: it may name any.
 */
export async function dropEntry(
  git: Git,
  repository: Repository,
  { issue, branch, slug, made_here }: ListedEntry,
  now: number,
): Promise<DroppedEntry> {
  if (!made_here) {
    removeEntry(repository.commonDir, slug)
    return { issue, branch, salvage: null }
  }
  const ref = `refs/heads/${branch}`
  const there = (await listWorktrees(git, repository.here)).find((worktree) => worktree.branch === branch)
  if (there !== undefined) {
    throw new Failure('conflict', `expected ${branch} to be in no worktree, it is in ${there.path}`, {
      hint: 'land it there, or remove the worktree first',
    })
  }
  const tip = await commitOf(git, repository, ref)
  const kept =
    tip === undefined ? null : await salvage(git, repository, slug, `dropped-${ulid(now).toLowerCase()}`, tip)
  if (tip !== undefined) await git.run(repository.here, ['update-ref', '--no-deref', '-d', ref, tip])
  removeEntry(repository.commonDir, slug)
  return { issue, branch, salvage: kept }
}
