// What can be saved of a worktree that is not as loop made it any more: its files, as they lie there, and its commits.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { withoutStores } from '@switchyard/ground/store-paths'
import type { Git } from '../programs/git.ts'
import { type GitPlace, openPlaceOfGit } from '../programs/git-place.ts'
import { findOurAdminFolder } from './admin-folder.ts'
import { isWithin, treeOf } from './commits.ts'
import { harmToFolder } from './harm.ts'
import { isBeingRemoved } from './remove-worktree.ts'
import type { Repository } from './repository.ts'
import { readShortFile } from './short-file.ts'
import type { Worktree } from './slug.ts'
import { salvage } from './worktree.ts'

type Save = {
  /** Whose salvage it is: a run, or a word of one's own. */
  run: string
  /** What its work was to land on: any name of a commit. */
  base: string
  message: string
  identity: Record<string, string>
}

/**
 * Keeps it under a ref and returns that; undefined when there is nothing that the base has not. Of the worktree only
 * its files are read; they are added to an index of our own, so that nothing of what its pointers name is touched.
 */
export async function saveHarmed(
  git: Git,
  repository: Repository,
  worktree: Worktree,
  { run, base, message, identity }: Save,
): Promise<string | undefined> {
  const { here, commonDir } = repository
  const admin = findOurAdminFolder(commonDir, worktree)
  const tip = await commitOf(git, here, `refs/heads/${worktree.branch}`)
  const head = admin === undefined ? undefined : await headIn(git, repository, admin)
  const start = await commitOf(git, here, base)
  const parents = [...new Set([tip, head])].filter((commit) => commit !== undefined)
  const [first = start] = parents
  if (first === undefined) return undefined
  const hasFiles = harmToFolder(worktree.path) === undefined && !(admin !== undefined && isBeingRemoved(admin))
  const tree = hasFiles ? await treeOfFiles(git, repository, worktree, first) : await treeOf(git, here, first)
  if (start !== undefined && tree === (await treeOf(git, here, start))) return undefined
  const isNew = tree !== (await treeOf(git, here, first))
  if (!isNew && parents.length < 2) {
    const isSafe = start !== undefined && (await isWithin(git, here, first, start))
    return isSafe ? undefined : salvage(git, repository, worktree.slug, run, first)
  }
  const of = (parents.length === 0 ? [first] : parents).flatMap((parent) => ['-p', parent])
  const commit = await git.run(here, ['commit-tree', tree, ...of, '-F', '-'], { input: message, env: identity })
  return salvage(git, repository, worktree.slug, run, commit)
}

async function commitOf(git: Git, at: GitPlace, name: string): Promise<string | undefined> {
  const found = await git.try(at, ['rev-parse', '--verify', '--quiet', `${name}^{commit}`])
  return found.exitCode === 0 ? found.stdout.trim() : undefined
}

/** The commit of a HEAD that is on no branch; what is on another branch is that one's, and safe there. */
async function headIn(git: Git, { here }: Repository, admin: string): Promise<string | undefined> {
  const head = readShortFile(join(admin, 'HEAD'))?.trim() ?? ''
  return /^[0-9a-f]{40,64}$/.test(head) ? commitOf(git, here, head) : undefined
}

/** The tree of all files that git would track there, beside those of a commit. */
async function treeOfFiles(
  git: Git,
  { commonDir }: Repository,
  { path, slug }: Worktree,
  commit: string,
): Promise<string> {
  const folder = join(commonDir, 'loop')
  mkdirSync(folder, { recursive: true })
  const index = join(folder, `.new-index-${slug}`)
  const at = openPlaceOfGit({ gitDir: commonDir, commonDir, workTree: path }, () => undefined)
  const env = { GIT_INDEX_FILE: index }
  rmSync(`${index}.lock`, { force: true })
  try {
    await git.run(at, ['read-tree', commit], { env })
    await git.try(at, ['add', '--all', '--ignore-errors', '--', ':/', ...withoutStores], { env })
    return await git.run(at, ['write-tree'], { env })
  } finally {
    rmSync(index, { force: true })
  }
}
