// Clearing what killed processes left of worktrees: those that never came to have a session, and those half removed.
import { join } from 'node:path'
import { statAt } from '@switchyard/ground/at-path'
import type { Repository } from '@switchyard/ground/repository'
import type { Store } from '@switchyard/topic'
import { endAll } from '../session/end-left.ts'
import { isGone } from '../session/process-here.ts'
import { readSession } from '../session/read-session.ts'
import { sessionFolder } from '../session/scope-store.ts'
import type { Git } from './git.ts'
import { worktreePath } from './make-worktree.ts'
import { allMarks, type Keeper } from './mark.ts'
import type { Mark } from './mark-schema.ts'
import { clearWorktree, dropWorktree } from './remove-worktree.ts'

/** The marks of worktrees that lie in a repository; a store may serve several. */
export const marksIn = (keeper: Keeper, repository: Repository): Mark[] =>
  allMarks(keeper).filter(({ id, path }) => path === worktreePath(repository, id))

/** What was left by killed processes, without touching it. */
export const findLeftMarks = (keeper: Keeper, repository: Repository): Mark[] =>
  marksIn(keeper, repository).filter(
    (mark) => mark.removing === 'all' || (isHalfMade(keeper.store, mark.id) && isGone(mark.maker)),
  )

/**
 * Whether a session never came to be. One that did has its file `state`; where its folder is gone, or its log is torn,
 * an agent has worked in its worktree, and nobody knows what of that is kept elsewhere.
 */
function isHalfMade(store: Store, id: string): boolean {
  const folder = sessionFolder(store, id)
  const wasThere = statAt(folder) === undefined || statAt(join(folder, 'state')) !== undefined
  return !wasThere && readSession(store, id) === undefined
}

/** Clears it away; returns the sessions whose it was, or was to be. */
export async function sweepWorktrees(git: Git, keeper: Keeper, repository: Repository): Promise<string[]> {
  const left = findLeftMarks(keeper, repository)
  for (const mark of left) {
    await endAll(keeper, mark)
    const where = { ...keeper, commonDir: repository.commonDir }
    if (mark.removing === 'all') await dropWorktree(git, where, { ...mark, tip: mark.tip ?? null })
    else await clearWorktree(git, where, mark)
  }
  return left.map(({ id }) => id)
}
