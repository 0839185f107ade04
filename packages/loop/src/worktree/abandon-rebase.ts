import type { Git } from '../programs/git.ts'
import { forgetOperations } from './operations.ts'
import { type Repository, tipOf } from './repository.ts'
import type { Worktree } from './slug.ts'
import { placeOf } from './tree-place.ts'
import { checkOut } from './worktree.ts'

/** Takes back a rebase that nobody goes on with: the worktree is at its branch again, which has not moved meanwhile. */
export async function abandonRebase(git: Git, repository: Repository, worktree: Worktree): Promise<void> {
  const tip = await tipOf(git, repository, worktree.branch)
  forgetOperations(placeOf(repository, worktree).gitDir)
  await checkOut(git, repository, worktree, tip)
}
