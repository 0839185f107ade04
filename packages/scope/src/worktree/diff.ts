import { existsSync } from 'node:fs'
import { withoutStores } from '@switchyard/ground/store-paths'
import type { Git } from './git.ts'
import { onCopy } from './hidden.ts'
import type { Mark } from './mark-schema.ts'

/**
 * All that a worktree has and its base had not when the two parted: commits, changes that are in none, and new files,
 * as a patch. The index of the worktree stays as it is.
 */
export async function diffOf(
  git: Git,
  commonDir: string,
  { path, branch, base, from }: Mark & { base: string },
  isStat: boolean,
) {
  const parted = await git.try(commonDir, ['merge-base', base, branch])
  const since = parted.exitCode === 0 ? parted.stdout.trim() : from
  // A paused session has all of it in commits.
  if (!existsSync(path)) return git.run(commonDir, ['diff', ...(isStat ? ['--stat'] : []), since, branch])
  return onCopy(git, path, async (env) => {
    await git.run(path, ['add', '--all', '--sparse', '--', ':/', ...withoutStores], env)
    return git.run(path, ['diff', '--cached', ...(isStat ? ['--stat'] : []), since], env)
  })
}
