import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { stores, withoutStores } from '@switchyard/ground/store-paths'
import type { Git } from '../programs/git.ts'
import type { GitPlace } from '../programs/git-place.ts'
import { isWithin, treeOf } from './commits.ts'
import { headOf } from './ref-files.ts'

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
export async function snapshot(git: Git, at: GitPlace, { message, identity, also }: SnapshotOptions): Promise<string> {
  const head = await headOf(git, at)
  const tree = await treeThere(git, at)
  const isClean = tree === (await treeOf(git, at, head))
  const isInside = also === undefined || (await isWithin(git, at, also, head))
  if (isClean && isInside) return head
  const parents = ['-p', head, ...(isInside || also === undefined ? [] : ['-p', also])]
  return git.run(at, ['commit-tree', tree, ...parents, '-F', '-'], { input: message, env: identity })
}

/** The tree of all that is there, through an index of its own. */
async function treeThere(git: Git, at: GitPlace): Promise<string> {
  const { gitDir } = at
  const index = join(gitDir, 'loop-index')
  const env = { GIT_INDEX_FILE: index }
  rmSync(`${index}.lock`, { force: true })
  if (existsSync(join(gitDir, 'index'))) copyFileSync(join(gitDir, 'index'), index)
  try {
    await git.run(at, ['add', '--all', '--', ':/', ...withoutStores], { env })
    await git.run(at, ['reset', '--quiet', 'HEAD', '--', ...stores.map((store) => `:(top)${store}`)], { env })
    return await git.run(at, ['write-tree'], { env })
  } finally {
    rmSync(index, { force: true })
  }
}
