import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { pid } from 'node:process'
import { withoutStores } from '@switchyard/ground/store-paths'
import type { Git } from './git.ts'
import type { Mark } from './mark.ts'

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
  const index = resolve(path, await git.run(path, ['rev-parse', '--git-path', 'index']))
  const copy = `${index}.scope-${pid}`
  const env = { GIT_INDEX_FILE: copy }
  try {
    copyFileSync(index, copy)
    await git.run(path, ['add', '--all', '--', ':/', ...withoutStores], env)
    return await git.run(path, ['diff', '--cached', ...(isStat ? ['--stat'] : []), since], env)
  } finally {
    rmSync(copy, { force: true })
  }
}
