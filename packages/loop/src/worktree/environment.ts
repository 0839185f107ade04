import { ceilingAt } from '../programs/git-place.ts'
import type { WorktreePlace } from './open-place.ts'
import type { WorktreeFacts } from './worktree-schema.ts'

/** What a command in a worktree is told by its environment. */
export function environmentAt(
  { stores }: WorktreePlace,
  { path, issue, run }: Pick<WorktreeFacts, 'path' | 'issue' | 'run'>,
): Record<string, string> {
  return {
    ...stores,
    ...ceilingAt(path),
    LOOP_WORKTREE: path,
    ...(issue === null ? {} : { LOOP_ISSUE: issue }),
    ...(run === null ? {} : { LOOP_RUN_ID: run }),
  }
}
