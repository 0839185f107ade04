// What a working tree holds, told apart by a hash: for noticing that turns leave everything as it was.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { statAt } from '@switchyard/cli-kit/at-path'
import { execute } from '@switchyard/exec'

const gitTimeoutMs = 20_000
const contentBytesMax = 1024 * 1024

/** Of the tree around `cwd`, uncommitted and untracked files included; null outside a repository. */
export async function fingerprintOf(cwd: string, env: Readonly<Record<string, string>>): Promise<string | null> {
  const git = async (args: readonly string[]) => {
    const options = {
      cwd,
      env: { ...env, GIT_OPTIONAL_LOCKS: '0' },
      timeoutMs: gitTimeoutMs,
      outputBytesMax: 1024 * 1024,
    }
    return execute(['git', '-c', 'core.fsmonitor=false', ...args], options)
  }
  const top = await git(['rev-parse', '--show-toplevel'])
  if (top.exitCode !== 0) return null
  const commit = await git(['rev-parse', '--verify', '--quiet', 'HEAD'])
  const status = await git(['status', '--porcelain', '-z', '--untracked-files=all', '--no-renames'])
  if (status.exitCode !== 0) return null
  const hash = createHash('sha256').update(commit.stdout).update(status.stdout)
  for (const entry of status.stdout.split('\0')) {
    if (entry !== '') hash.update(contentOf(join(top.stdout.replace(/\n$/, ''), entry.slice(3))))
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
