import { join, resolve } from 'node:path'
import { entriesIn, readIfThere } from '@switchyard/topic'

/**
 * Git's own folder of a linked worktree, found without git, also when the worktree's folder is gone; undefined when
 * git knows of none at that path. What lies in it goes away with the worktree.
 */
export function findAdminFolder(commonDir: string, path: string): string | undefined {
  return entriesIn(join(commonDir, 'worktrees'))
    .map(({ name }) => join(commonDir, 'worktrees', name))
    .find((folder) => {
      const pointer = readIfThere(join(folder, 'gitdir'))?.trim()
      return pointer !== undefined && resolve(folder, pointer) === join(path, '.git')
    })
}
