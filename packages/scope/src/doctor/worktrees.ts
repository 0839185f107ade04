// Worktrees of sessions: what killed calls left of them, and those that are no longer what their marks say.
import { existsSync } from 'node:fs'
import { counted } from '@switchyard/cli-kit/counted'
import { entriesIn } from '@switchyard/ground/disk'
import { dirname, join } from '@switchyard/ground/machine'
import type { Repository } from '@switchyard/ground/repository'
import { type Finding, mendable, ok, type Visit, warn } from '@switchyard/topic/examine/finding'
import { isSessionId } from '../session/session-id.ts'
import type { Git } from '../worktree/git.ts'
import { worktreePath } from '../worktree/make-worktree.ts'
import type { Keeper } from '../worktree/mark.ts'
import type { Mark } from '../worktree/mark-schema.ts'
import { findLeftMarks, marksIn, sweepWorktrees } from '../worktree/sweep.ts'

/** Looks at them. With `fix` what was half made, or half removed, is cleared; no work is in either. */
export async function examineWorktrees(
  { git, ...keeper }: Keeper & { readonly git: Git },
  repository: Repository | undefined,
  visit: Visit,
): Promise<Finding[]> {
  if (repository === undefined) return [ok('worktrees', 'there is no repository here')]
  const marks = marksIn(keeper, repository)
  const left = findLeftMarks(keeper, repository)
  const halves = left.map(({ path }) => mendable('worktrees', `${path} was left half made or half removed`, visit))
  if (visit.fix) await sweepWorktrees(git, keeper, repository)
  const whole = marks.filter(({ id }) => !left.some((one) => one.id === id))
  return [
    ok('worktrees', `${counted(whole.length, 'worktree')} of sessions`),
    ...halves,
    ...whole.flatMap(missing),
    ...strays(repository, marks),
  ]
}

const missing = ({ id, path, branch, parked }: Mark): Finding[] =>
  parked !== undefined || existsSync(path)
    ? []
    : [warn('worktrees', `${path} is gone, its work is on ${branch}`, `scope worktree drop ${id} removes what is left`)]

/** Folders in the place of worktrees that no session has. */
function strays(repository: Repository, marks: readonly Mark[]): Finding[] {
  const folder = dirname(worktreePath(repository, '0'))
  const known = new Set(marks.map(({ id }) => id))
  return entriesIn(folder)
    .filter(({ name }) => isSessionId(name) && !known.has(name))
    .map(({ name }) =>
      warn(
        'worktrees',
        `no session has ${join(folder, name)}`,
        `look what is in it; git worktree remove takes it away`,
      ),
    )
}
