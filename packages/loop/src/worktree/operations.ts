// Rebases, merges and kin that were begun in a worktree and not ended.
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const rebases = ['rebase-merge', 'rebase-apply']
const states = [
  ...rebases,
  ...['sequencer', 'MERGE_HEAD', 'MERGE_MODE', 'MERGE_MSG', 'MERGE_RR', 'AUTO_MERGE', 'SQUASH_MSG'],
  ...['CHERRY_PICK_HEAD', 'REVERT_HEAD', 'REBASE_HEAD', 'BISECT_LOG', 'BISECT_START'],
]

export const isRebasing = (gitDir: string) => rebases.some((name) => existsSync(join(gitDir, name)))

/**
 * Ends them, and leaves files, index and HEAD as they are. `git rebase --quit` and `--abort` would do what their own
 * notes say: put another branch back, or add to the stash, which belongs to all worktrees.
 */
export function forgetOperations(gitDir: string): void {
  for (const name of states) rmSync(join(gitDir, name), { recursive: true, force: true })
}
