// The worktree of one issue: made, turned into a commit, reset and removed. Only worktrees and refs that loop made are
// ever touched.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { folderIn, orRefused } from '@switchyard/topic'
import type { Git } from '../git.ts'
import { keepSubmodules } from './keep-submodules.ts'
import { writeRecord } from './record.ts'
import { listWorktrees, type Repository, tipOf } from './repository.ts'
import { stores } from './snapshot.ts'

export type Worktree = { slug: string; path: string; branch: string }

const keepStores = stores.flatMap((store) => ['-e', `/${store}`])

export function worktreeOf(repository: Repository, slug: string): Worktree {
  return { slug, path: join(worktreesFolder(repository), slug), branch: `loop/issue/${slug}` }
}

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
  { base, run, of }: { base: string; run: string; of: { id: string } },
): Promise<string> {
  const tip = await tipOf(git, repository, base)
  const old = await git.try(repository.here, ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`])
  const kept = old.stdout.trim()
  if (old.exitCode === 0 && !(await isWithin(git, repository.here, kept, tip)))
    await salvage(git, repository, slug, run, kept)
  makeWorktreesFolder(repository)
  const reason = ['--lock', '--reason', lockReason(run)]
  await git.run(repository.here, ['worktree', 'add', '--quiet', ...reason, '-B', branch, path, tip])
  writeRecord(repository.commonDir, path, { v: 1, id: of.id, issue: true, base, from: tip, ready: false })
  return tip
}

/** Where all worktrees of loop lie. */
export const worktreesFolder = ({ root }: Repository) => join(root, '.worktrees', 'loop')

/** Fails as `conflict` where a link is in its place: the worktrees would lie where it leads. */
export function makeWorktreesFolder(repository: Repository): void {
  const folder = folderIn({ path: repository.root }, '.worktrees/loop')
  orRefused(`${folder} was to be made`, () => mkdirSync(folder, { recursive: true }))
}

/** Whether a commit is in the history of another. */
export async function isWithin(git: Git, cwd: string, commit: string, other: string): Promise<boolean> {
  return (await git.try(cwd, ['merge-base', '--is-ancestor', commit, other])).exitCode === 0
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
  { path, branch }: Worktree,
  options: { from: string; amend: string | undefined; message: string; identity: Record<string, string> },
): Promise<Snapshot> {
  await git.try(path, ['rebase', '--quit'])
  const head = await git.run(path, ['rev-parse', '--verify', 'HEAD'])
  await git.run(path, ['add', '--all', '--', ':/', ...stores.map((store) => `:(exclude,top)${store}`)])
  await git.run(path, ['reset', '--quiet', options.from, '--', ...stores.map((store) => `:(top)${store}`)])
  const tree = await git.run(path, ['write-tree'])
  const parent = head === options.amend ? await git.run(path, ['rev-parse', '--verify', `${head}^`]) : head
  const next =
    tree === (await treeOf(git, path, parent)) ? parent : await commitTree(git, path, { tree, parent, ...options })
  await git.run(path, ['update-ref', `refs/heads/${branch}`, next])
  await git.run(path, ['symbolic-ref', 'HEAD', `refs/heads/${branch}`])
  return { head: next, tree, made: next === parent ? undefined : next }
}

type Commit = { tree: string; parent: string; message: string; identity: Record<string, string> }

function commitTree(git: Git, path: string, { tree, parent, message, identity }: Commit): Promise<string> {
  return git.run(path, ['commit-tree', tree, '-p', parent, '-F', '-'], { input: message, env: identity })
}

/** The tree of a commit. It is asked for again and again, and never another. */
export async function treeOf(git: Git, cwd: string, commit: string): Promise<string> {
  const tree = trees.get(commit) ?? (await git.run(cwd, ['rev-parse', '--verify', `${commit}^{tree}`]))
  if (/^[0-9a-f]{40,64}$/.test(commit)) trees.set(commit, tree)
  return tree
}

const trees = new Map<string, string>()

/**
 * Sets the worktree to a commit, without anything that is not ignored beside it: what a verify command or a failed
 * merge left there.
 */
export async function resetTo(git: Git, { path }: Worktree, commit: string): Promise<void> {
  await git.run(path, ['reset', '--quiet', '--hard', commit])
  await git.run(path, ['clean', '--quiet', '-f', '-d', ...keepStores])
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
    const known = await git.try(here, ['rev-parse', '--verify', '--quiet', ref])
    if (known.stdout.trim() === commit) return ref
    if (known.exitCode === 0) continue
    await git.run(here, ['update-ref', ref, commit, ''])
    return ref
  }
}

/**
 * Removes the worktree and, unless it is kept, its branch. Everything in it has been landed or salvaged before.
 * With `of`, one that another than that run holds is left alone. Repeating it is no error.
 */
export async function removeWorktree(
  git: Git,
  repository: Repository,
  { slug, path, branch }: Worktree,
  { keepBranch = false, of }: { keepBranch?: boolean; of?: string } = {},
): Promise<void> {
  const listed = (await listWorktrees(git, repository.here)).find((worktree) => worktree.path === path)
  if (of !== undefined && listed !== undefined && listed.locked !== lockReason(of)) return
  if (listed !== undefined) {
    await keepSubmodules(git, repository, path, slug)
    await git.run(repository.here, ['worktree', 'remove', '--force', '--force', path])
  }
  rmSync(path, { recursive: true, force: true })
  const tip = await git.try(repository.here, ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`])
  if (tip.exitCode !== 0 || keepBranch) return
  await git.run(repository.here, ['update-ref', '-d', `refs/heads/${branch}`, tip.stdout.trim()])
}
