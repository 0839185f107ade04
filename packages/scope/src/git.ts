// git, as far as the dashboard looks at it: what a session has changed, and on which branch.
import { execute } from '@switchyard/exec'
import { isFailure } from '@switchyard/ground/failure'
import { findRepository } from '@switchyard/ground/repository'
import { readGitContext } from '@switchyard/topic'

type Env = Readonly<Record<string, string | undefined>>

const timeoutMs = 10_000
const outputBytesMax = 100_000
const filesMax = 12
/** Nothing that a repository names is run: no watcher, no other program for differences, no filter of text. */
const plain = ['-c', 'core.fsmonitor=false', '--no-optional-locks']

/** The branch that a folder is on; undefined outside of repositories, and on none. Runs nothing. */
export function branchAt(cwd: string): string | undefined {
  try {
    const repository = findRepository(cwd, undefined)
    return repository === undefined ? undefined : (readGitContext(repository, cwd).branch ?? undefined)
  } catch (error) {
    if (isFailure(error)) return undefined
    throw error
  }
}

/**
 * What has changed in a working tree since it left the main one's commit: a line a file, at most twelve, and their sum.
 * Empty where git, or the folder, is not there, and where git knows nothing of it.
 */
export async function changesAt(cwd: string, env: Env): Promise<string[]> {
  const words = ['diff', '--no-ext-diff', '--no-textconv', '--stat=60', '--merge-base', 'main-worktree/HEAD', '--']
  const stdout = await saidByGit([...plain, ...words], cwd, env)
  const lines = stdout.split('\n').filter((line) => line.trim() !== '')
  const sum = lines.pop()
  if (sum === undefined) return []
  const files =
    lines.length > filesMax ? [...lines.slice(0, filesMax), ` … and ${lines.length - filesMax} more`] : lines
  return [sum.trim(), ...files]
}

async function saidByGit(words: readonly string[], cwd: string, env: Env): Promise<string> {
  try {
    const { exitCode, stdout } = await execute(['git', ...words], { cwd, env, timeoutMs, outputBytesMax })
    return exitCode === 0 ? stdout : ''
  } catch (error) {
    if (isFailure(error)) return ''
    throw error
  }
}
