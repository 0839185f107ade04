// What a dead run left of an issue on disk: its work is kept under a ref, its worktree and branch go.
import { existsSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { listWorktrees } from '../worktree/repository.ts'
import {
  commitAll,
  lockReason,
  removeWorktree,
  salvage,
  treeOf,
  type Worktree,
  worktreeOf,
} from '../worktree/worktree.ts'
import type { Recovery } from './recovery.ts'
import { isOnBase } from './remote.ts'

/**
 * Removes the worktree and branch; returns the ref that keeps what of it is not on the base. `landed` is the commit
 * that it landed as.
 */
export async function clearWorktree(
  recovery: Recovery,
  run: string,
  worktree: Worktree,
  landed: string | undefined,
  base: string,
): Promise<string | undefined> {
  const { git, repository } = recovery
  const listed = await listWorktrees(git, repository.here)
  const mine = listed.find(({ path }) => path === worktree.path)
  if (mine !== undefined && mine.locked !== lockReason(run)) return undefined
  const kept = mine === undefined ? undefined : await keepWork(recovery, run, worktree, { landed, base })
  const branch = await git.try(repository.here, ['rev-parse', '--verify', '--quiet', `refs/heads/${worktree.branch}`])
  const tip = branch.stdout.trim()
  if (mine === undefined && tip !== '' && landed === undefined && !(await isOnBase(git, repository, tip, base))) {
    await salvage(git, repository, worktree.slug, run, tip)
  }
  await removeWorktree(git, repository, worktree)
  return kept
}

async function keepWork(
  { git, repository, identity }: Recovery,
  run: string,
  worktree: Worktree,
  { landed, base }: { landed: string | undefined; base: string },
): Promise<string | undefined> {
  const { path, slug } = worktree
  if (!existsSync(join(path, '.git'))) return undefined
  const gitDir = await git.run(path, ['rev-parse', '--path-format=absolute', '--git-dir'])
  rmSync(join(gitDir, 'index.lock'), { force: true })
  await git.try(path, ['rebase', '--abort'])
  const tip = `refs/heads/${base}`
  const from = await git.run(path, ['merge-base', 'HEAD', tip])
  const message = `Unfinished work of run ${run}\n`
  const { head, tree } = await commitAll(git, worktree, { from, amend: undefined, message, identity })
  const there = [from, tip, ...(landed === undefined ? [] : [landed])]
  for (const commit of there) if (tree === (await treeOf(git, path, commit))) return undefined
  return salvage(git, repository, slug, run, head)
}

/** Worktrees that git knows as the dead run's, for when the bus that would tell has been removed. */
export async function sweepWorktrees(recovery: Recovery, run: string): Promise<void> {
  const { git, repository } = recovery
  for (const { path, locked, branch } of await listWorktrees(git, repository.here)) {
    const slug = basename(path)
    const worktree = worktreeOf(repository, slug)
    if (locked !== lockReason(run) || worktree.path !== path) continue
    const main = await git.try(repository.here, ['rev-parse', '--verify', '--quiet', `refs/heads/${worktree.branch}`])
    const base = branch === null || main.exitCode !== 0 ? 'HEAD' : worktree.branch
    await clearWorktree(recovery, run, worktree, undefined, base)
  }
}
