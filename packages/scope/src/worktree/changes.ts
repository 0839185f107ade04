// What a session has changed where it works, and on which branch: looked at often, by who only watches.
import { isFailure } from '@switchyard/ground/failure'
import { findRepository } from '@switchyard/ground/repository'
import { readGitContext } from '@switchyard/topic'
import type { Git } from './git.ts'

const filesMax = 12

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
 * Empty where git, or the folder, is not there, and where git knows nothing of it. Nothing that a repository names is
 * run: no watcher, no other program for differences, no filter of text.
 */
export async function changesAt(git: Git, cwd: string): Promise<string[]> {
  const stdout = await statAt(git, cwd)
  const lines = stdout.split('\n').filter((line) => line.trim() !== '')
  const sum = lines.pop()
  if (sum === undefined) return []
  const files =
    lines.length > filesMax ? [...lines.slice(0, filesMax), ` … and ${lines.length - filesMax} more`] : lines
  return [sum.trim(), ...files]
}

async function statAt(git: Git, cwd: string): Promise<string> {
  const words = ['diff', '--no-ext-diff', '--no-textconv', '--stat=60', '--merge-base', 'main-worktree/HEAD', '--']
  try {
    const { exitCode, stdout } = await git.try(cwd, words)
    return exitCode === 0 ? stdout : ''
  } catch (error) {
    if (isFailure(error)) return ''
    throw error
  }
}
