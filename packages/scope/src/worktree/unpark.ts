// Making the worktree of a paused session anew, at its path and on its branch.
import { existsSync } from 'node:fs'
import { Failure } from '@switchyard/ground/failure'
import { asideOf, moveOver } from './aside.ts'
import { commitOf, type Git, listWorktrees } from './git.ts'
import { addWorktree } from './make-worktree.ts'
import { type Keeper, writeMark } from './mark.ts'
import type { Mark } from './mark-schema.ts'
import { takeAway } from './remove-worktree.ts'
import { proveTree } from './tree-place.ts'

type Where = Keeper & { readonly commonDir: string }

/** `uncommitted`: whether what was in no commit is so again. `left`: ignored files whose place is taken. */
export type Unparked = { readonly uncommitted: boolean; readonly left: readonly string[] }

/**
 * Makes it, and gives back what was in no commit where nobody has committed on top. Fails as `conflict` where the
 * branch is checked out elsewhere, is gone, or has no more what the pause has kept. May be repeated after any kill.
 */
export async function unparkWorktree(git: Git, where: Where, mark: Mark): Promise<Unparked> {
  const { removing, ...kept } = mark
  const { parked, ...bare } = kept
  if (parked === undefined && existsSync(mark.path)) return { uncommitted: false, left: [] }
  const { commonDir } = where
  const tip = await requireBranch(git, commonDir, mark)
  const wasUncommitted = parked !== undefined && tip === parked.tip && tip !== parked.from
  if (removing === 'worktree' || !existsSync(mark.path)) {
    // Half of a worktree is worth nothing: until it is whole, the next call begins anew.
    writeMark(where, { ...kept, removing: 'worktree' })
    await takeAway(git, commonDir, mark)
    await addWorktree(git, { ...where, id: mark.id, path: mark.path }, [mark.path, mark.branch])
    if (wasUncommitted) await (await proveTree(git, commonDir, mark)).run(['read-tree', parked.index])
    writeMark(where, kept)
  } else await proveTree(git, commonDir, mark)
  if (wasUncommitted) {
    await git.run(commonDir, ['update-ref', '-m', 'scope resume', `refs/heads/${mark.branch}`, parked.from, tip])
  }
  const left = moveOver(asideOf(mark), mark.path)
  writeMark(where, bare)
  return { uncommitted: parked !== undefined && (tip === parked.tip || tip === parked.from), left }
}

/** The newest commit of the branch, which has all that the pause has kept. */
async function requireBranch(
  git: Git,
  commonDir: string,
  { branch, path, from, parked, removing }: Mark,
): Promise<string> {
  const refuse = (what: string, hint: string) => new Failure('conflict', what, { hint, retryable: false })
  const tip = await commitOf(git, commonDir, `refs/heads/${branch}`)
  if (tip === undefined) throw refuse(`the branch ${branch} is gone`, `git branch ${branch} ${parked?.tip ?? from}`)
  const other = (await listWorktrees(git, commonDir)).find((one) => one.branch === branch && one.path !== path)
  if (other !== undefined) throw refuse(`${branch} is checked out in ${other.path}`, 'check out another branch there')
  if (parked === undefined) return tip
  // A resume that was cut short has moved it back already, and the worktree holds the rest.
  const isMovedBack = tip === parked.from && removing === undefined && existsSync(path)
  const isOnTop = (await git.try(commonDir, ['merge-base', '--is-ancestor', parked.tip, tip])).exitCode === 0
  if (isMovedBack || isOnTop) return tip
  throw refuse(
    `${branch} no longer has ${parked.tip.slice(0, 12)}, which holds what the pause has kept`,
    `git branch --force ${branch} ${parked.tip}, or merge that commit into it`,
  )
}
