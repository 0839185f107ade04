// The worktree of one issue: made, turned into a commit, reset and removed. Only worktrees and refs that loop made are
// ever touched.
import { mkdirSync } from 'node:fs'
import { folderIn, orRefused } from '@switchyard/ground/disk'
import { stores, withoutStores } from '@switchyard/ground/store-paths'
import type { Git } from '../programs/git.ts'
import type { GitPlace } from '../programs/git-place.ts'
import { commitTree, isWithin, parentOf, treeOf } from './commits.ts'
import { forgetOperations } from './operations.ts'
import { writeRecord } from './record.ts'
import { commitOf, headOf, isOnBranch, readRef } from './ref-files.ts'
import { type Repository, tipOf } from './repository.ts'
import type { Worktree } from './slug.ts'
import { placeOf } from './tree-place.ts'

const keepStores = stores.flatMap((store) => ['-e', `/${store}`])

/** How git's own lock on a worktree names the run it belongs to. */
export const lockReason = (run: string) => `loop ${run}`

/**
 * Makes the worktree at the tip of `base` and returns that commit. A branch that an earlier run kept is salvaged
 * first.
 */
export async function addWorktree(
  git: Git,
  repository: Repository,
  { slug, path, branch }: Worktree,
  { base, run, of, bus, worker }: { base: string; run: string; of: { id: string }; bus: string; worker: string },
): Promise<string> {
  const tip = await tipOf(git, repository, base)
  const kept = await commitOf(git, repository, `refs/heads/${branch}`)
  if (kept !== undefined && !(await isWithin(git, repository.here, kept, tip)))
    await salvage(git, repository, slug, run, kept)
  makeWorktreesFolder(repository)
  const reason = ['--lock', '--reason', lockReason(run)]
  // A name that somebody made a link to another branch becomes our own first.
  await git.run(repository.here, ['update-ref', '--no-deref', `refs/heads/${branch}`, tip])
  await git.run(repository.here, ['worktree', 'add', '--quiet', ...reason, path, branch])
  writeRecord(repository.commonDir, path, { v: 1, id: of.id, issue: true, base, from: tip, ready: false, bus, worker })
  return tip
}

/** Fails as `conflict` where a link is in its place: the worktrees would lie where it leads. */
export function makeWorktreesFolder(repository: Repository): void {
  const folder = folderIn({ path: repository.root }, '.worktrees/loop')
  orRefused(`${folder} was to be made`, () => mkdirSync(folder, { recursive: true }))
}

/** `made` is the tip when it is a commit of ours. */
export type Snapshot = { head: string; tree: string; made: string | undefined }

/**
 * Turns everything in the worktree into the tip of its branch: what the runner committed stays, what it left
 * uncommitted becomes a commit with `message`. A commit that was made so before (`amend`) is replaced, so that an
 * issue becomes one commit however often it was tried. Ignored files stay out, and the suite's stores stay as they
 * are in `from`.
 */
export async function commitAll(
  git: Git,
  repository: Repository,
  worktree: Worktree,
  options: { from: string; amend: string | undefined; message: string; identity: Record<string, string> },
): Promise<Snapshot> {
  const at = placeOf(repository, worktree)
  forgetOperations(at.gitDir)
  const head = await headOf(git, at)
  await git.run(at, ['add', '--all', '--', ':/', ...withoutStores])
  await git.run(at, ['reset', '--quiet', options.from, '--', ...stores.map((store) => `:(top)${store}`)])
  const tree = await git.run(at, ['write-tree'])
  const parent = head === options.amend ? await parentOf(git, at, head) : head
  const next =
    tree === (await treeOf(git, at, parent)) ? parent : await commitTree(git, at, { tree, parent, ...options })
  await setBranch(git, at, worktree, next)
  return { head: next, tree, made: next === parent ? undefined : next }
}

/** Nothing but our own branch is moved, wherever HEAD leads; what is there already, and is no link, stays. */
async function setBranch(git: Git, at: GitPlace, { branch }: Worktree, commit: string): Promise<void> {
  const ref = `refs/heads/${branch}`
  at.prove()
  if (readRef(at.commonDir, ref) !== commit) await git.run(at, ['update-ref', '--no-deref', ref, commit])
  at.prove()
  if (!isOnBranch(at, branch)) await git.run(at, ['symbolic-ref', 'HEAD', ref])
}

/** Makes a commit that is in the repository the tip of the branch, and its tree that of the index; files stay. */
export async function adoptCommit(git: Git, repository: Repository, worktree: Worktree, commit: string): Promise<void> {
  const at = placeOf(repository, worktree)
  await setBranch(git, at, worktree, commit)
  await git.run(at, ['read-tree', commit])
}

/**
 * Sets the worktree and its branch to a commit, without anything that is not ignored beside it: what a verify command
 * or a failed merge left there.
 */
export async function resetTo(git: Git, repository: Repository, worktree: Worktree, commit: string): Promise<void> {
  await checkOut(git, repository, worktree, commit)
  await git.run(placeOf(repository, worktree), ['clean', '--quiet', '-f', '-d', ...keepStores])
}

/** Sets tracked files and the branch to a commit, and ends what git was about to do there. */
export async function checkOut(git: Git, repository: Repository, worktree: Worktree, commit: string): Promise<void> {
  const at = placeOf(repository, worktree)
  forgetOperations(at.gitDir)
  await setBranch(git, at, worktree, commit)
  await git.run(at, ['read-tree', '--reset', '-u', commit])
}

/**
 * Puts HEAD onto the worktree's own branch, and the branch to where HEAD was: whoever works there may have switched to
 * another, which is not ours to move. What the branch alone had is kept under a ref.
 */
export async function takeBranch(git: Git, repository: Repository, worktree: Worktree, run: string): Promise<void> {
  const at = placeOf(repository, worktree)
  if (isOnBranch(at, worktree.branch)) return
  const head = await headOf(git, at)
  const old = await commitOf(git, repository, `refs/heads/${worktree.branch}`)
  if (old !== undefined && !(await isWithin(git, repository.here, old, head)))
    await salvage(git, repository, worktree.slug, run, old)
  await setBranch(git, at, worktree, head)
}

/** Keeps a commit that will not land under a ref of its own, and returns the ref. */
export async function salvage(
  git: Git,
  { here }: Repository,
  slug: string,
  run: string,
  commit: string,
): Promise<string> {
  for (let number = 1; ; number++) {
    const ref = `refs/loop/salvage/${slug}/${run}${number === 1 ? '' : `-${number}`}`
    const known = await commitOf(git, { here }, ref)
    if (known === commit) return ref
    if (known !== undefined) continue
    await git.run(here, ['update-ref', ref, commit, ''])
    return ref
  }
}
