import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Git } from '../git.ts'

/** Stores of the suite lie in worktrees only by accident; what is in them is never part of a landing. */
export const stores: readonly string[] = ['.jwz', '.tissue', '.deepscan', '.scope']

type SnapshotOptions = {
  message: string
  identity: Record<string, string>
  /** Another commit that is to be kept with it, unless its history has it. */
  also?: string
}

/**
 * The state of a working tree as a commit, made without touching the tree, its index or a ref: what git tracks and
 * does not ignore, committed or not. HEAD itself when there is nothing else.
 */
export async function snapshot(git: Git, path: string, { message, identity, also }: SnapshotOptions): Promise<string> {
  const gitDir = await git.run(path, ['rev-parse', '--path-format=absolute', '--git-dir'])
  const head = await git.run(path, ['rev-parse', '--verify', 'HEAD'])
  const tree = await treeThere(git, path, gitDir)
  const isClean = tree === (await git.run(path, ['rev-parse', '--verify', 'HEAD^{tree}']))
  const isInside =
    also === undefined || (await git.try(path, ['merge-base', '--is-ancestor', also, head])).exitCode === 0
  if (isClean && isInside) return head
  const parents = ['-p', head, ...(isInside || also === undefined ? [] : ['-p', also])]
  return git.run(path, ['commit-tree', tree, ...parents, '-F', '-'], { input: message, env: identity })
}

/** The tree of all that is there, through an index of its own. */
async function treeThere(git: Git, path: string, gitDir: string): Promise<string> {
  const index = join(gitDir, 'loop-index')
  const env = { GIT_INDEX_FILE: index }
  rmSync(`${index}.lock`, { force: true })
  if (existsSync(join(gitDir, 'index'))) copyFileSync(join(gitDir, 'index'), index)
  try {
    const outside = stores.map((store) => `:(exclude,top)${store}`)
    await git.run(path, ['add', '--all', '--', ':/', ...outside], { env })
    await git.run(path, ['reset', '--quiet', 'HEAD', '--', ...stores.map((store) => `:(top)${store}`)], { env })
    return await git.run(path, ['write-tree'], { env })
  } finally {
    rmSync(index, { force: true })
  }
}
