import { rm } from 'node:fs/promises'
import { orRefusedLater } from '@switchyard/ground/disk'
import { Failure } from '@switchyard/ground/failure'
import { gitSays } from '@switchyard/ground/mechanical-git'
import { asideOf } from './aside.ts'
import { commitOf, type Git, listWorktrees } from './git.ts'
import { type Keeper, removeMark, writeMark } from './mark.ts'
import type { Mark } from './mark-schema.ts'

type Where = Keeper & { readonly commonDir: string }

/**
 * Takes away the worktree, its mark, and its branch where that is still at the commit of the mark. May be repeated,
 * also after a kill at any step.
 */
export async function dropWorktree(
  git: Git,
  where: Where,
  mark: Mark & { readonly tip: string | null },
): Promise<void> {
  writeMark(where, { ...mark, removing: 'all' })
  await takeAway(git, where.commonDir, mark)
  await rm(asideOf(mark), { recursive: true, force: true })
  const tip = await commitOf(git, where.commonDir, `refs/heads/${mark.branch}`)
  if (tip !== undefined && tip === mark.tip) await deleteBranch(git, where.commonDir, mark.branch, tip)
  removeMark(where.store, mark.id)
}

/** Clears what somebody began to make and never used: its branch goes only where nothing was added to it. */
export async function clearWorktree(git: Git, where: Where, mark: Mark): Promise<void> {
  await takeAway(git, where.commonDir, mark)
  const tip = await commitOf(git, where.commonDir, `refs/heads/${mark.branch}`)
  if (tip === mark.from) await deleteBranch(git, where.commonDir, mark.branch, tip)
  removeMark(where.store, mark.id)
}

/** One that somebody has checked out elsewhere stays. */
async function deleteBranch(git: Git, commonDir: string, branch: string, tip: string): Promise<void> {
  const there = await listWorktrees(git, commonDir)
  if (there.some((one) => one.branch === branch)) return
  await git.run(commonDir, ['update-ref', '--no-deref', '-d', `refs/heads/${branch}`, tip])
}

/** Takes away the folder of a worktree and all that git knows of it; its branch stays. */
export async function takeAway(git: Git, commonDir: string, { path }: Mark): Promise<void> {
  await orRefusedLater(`${path} was to be removed`, () =>
    rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }),
  )
  const listed = await listWorktrees(git, commonDir)
  if (!listed.some((one) => one.path === path)) return
  // Twice, because it is locked.
  const { exitCode, stderr } = await git.try(commonDir, ['worktree', 'remove', '--force', '--force', path])
  if (exitCode === 0 || /is not a working tree/.test(stderr)) return
  throw new Failure('outside', `git would not remove the worktree ${path}: ${gitSays(stderr)}`)
}
