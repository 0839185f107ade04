// What a working tree holds, told apart by a hash: for noticing that turns leave everything as it was.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { statAt } from '@switchyard/ground/at-path'
import type { Git } from '../programs/git.ts'
import type { TreePlace } from '../programs/git-place.ts'
import { treeAround } from '../worktree/tree-place.ts'

const gitTimeoutMs = 20_000
const contentBytesMax = 1024 * 1024

/** Tells two states of a tree apart, uncommitted and untracked files included; null outside a repository. */
export async function fingerprintOf(git: Git, where: string | TreePlace): Promise<string | null> {
  const at = typeof where === 'string' ? await treeAround(git, where) : where
  if (at === undefined) return null
  const options = { timeoutMs: gitTimeoutMs }
  const commit = await git.try(at, ['rev-parse', '--verify', '--quiet', 'HEAD'], options)
  const asked = ['status', '--porcelain', '-z', '--untracked-files=all', '--no-renames']
  const status = await git.try(at, asked, options)
  if (status.exitCode !== 0) return null
  const hash = createHash('sha256').update(commit.stdout).update(status.stdout)
  for (const entry of status.stdout.split('\0')) {
    if (entry !== '') hash.update(contentOf(join(at.workTree, entry.slice(3))))
  }
  return hash.digest('hex')
}

/** A large file counts by its size and time. */
function contentOf(path: string): string | Buffer {
  const stats = statAt(path)
  if (stats === undefined) return 'gone'
  if (!stats.isFile() || stats.size > contentBytesMax) return `${stats.size} ${stats.mtimeMs}`
  return readFileSync(path)
}
