// Clearing what killed processes left of worktrees: those that never came to have a session, and those half removed.
import type { Repository } from '@switchyard/ground/repository'
import { endAll } from '../session/end-left.ts'
import { isGone } from '../session/process-here.ts'
import { readSession } from '../session/read-session.ts'
import type { Git } from './git.ts'
import { worktreePath } from './make-worktree.ts'
import { allMarks, type Keeper, type Mark } from './mark.ts'
import { clearWorktree, dropWorktree } from './remove-worktree.ts'

/** The marks of worktrees that lie in a repository; a store may serve several. */
export const marksIn = (keeper: Keeper, repository: Repository): Mark[] =>
  allMarks(keeper).filter(({ id, path }) => path === worktreePath(repository, id))

/** What was left by killed processes, without touching it. */
export const findLeftMarks = (keeper: Keeper, repository: Repository): Mark[] =>
  marksIn(keeper, repository).filter(
    (mark) => mark.removing === 'all' || (readSession(keeper.store, mark.id) === undefined && isGone(mark.maker)),
  )

/** Clears it away; returns the sessions whose it was, or was to be. */
export async function sweepWorktrees(git: Git, keeper: Keeper, repository: Repository): Promise<string[]> {
  const left = findLeftMarks(keeper, repository)
  for (const mark of left) {
    await endAll(keeper, mark)
    const where = { ...keeper, commonDir: repository.commonDir }
    if (mark.removing === 'all') await dropWorktree(git, where, mark)
    else await clearWorktree(git, where, mark)
  }
  return left.map(({ id }) => id)
}
