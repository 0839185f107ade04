import type { Spend } from '../shell/budget.ts'
import { fitsStars } from '../shell/glob.ts'
import { branchAt, originDefault } from './git-files.ts'
import type { Scene } from './scene.ts'

/** Branches that are protected wherever they exist. */
const usual = ['main', 'master', 'trunk', 'production']

/**
 * Whether a branch is protected: the base, the usual ones, or one that loop.json names. What loop.json says is the base
 * is one more, whoever wrote it: no branch is let go for it.
 */
export function isProtected(branch: string, { settings, repository, world, worktree, root }: Scene): boolean {
  const origin = repository && originDefault(repository.commonDir, world)
  // Where an issue is worked, the branch of the main tree is what it will land on.
  const here = worktree === undefined ? undefined : branchAt(root ?? '', world)
  const others = [settings.base, here, origin].flatMap((name) => (name ? [name] : []))
  return [...usual, ...settings.protect, ...others].some((name) => fits(branch, name, world.spend))
}

/** Whether loop.json says that nobody pushes to a branch. */
export function isClosed(branch: string, { settings, world }: Scene): boolean {
  return settings.protect.some((name) => fits(branch, name, world.spend))
}

/** Whether a branch, or a pattern of branches, and a name that may have `*` in it can mean the same. */
function fits(branch: string, name: string, spend: Spend): boolean {
  return fitsStars(branch, name, spend) || (branch.includes('*') && fitsStars(name, branch, spend))
}
