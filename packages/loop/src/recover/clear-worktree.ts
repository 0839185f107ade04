// What a dead run left of an issue on disk: its work is kept under a ref, its worktree and branch go.
import { rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isFailure } from '@switchyard/ground/failure'
import { abandonRebase } from '../worktree/abandon-rebase.ts'
import { adminFolders, findOurAdminFolder, lockOf, placeNamedBy } from '../worktree/admin-folder.ts'
import { isWithin, treeOf } from '../worktree/commits.ts'
import { findHarm } from '../worktree/harm.ts'
import { isRebasing } from '../worktree/operations.ts'
import { isHalfMade, readRecordIn } from '../worktree/record.ts'
import { isBeingRemoved, removeWorktree } from '../worktree/remove-worktree.ts'
import type { Repository } from '../worktree/repository.ts'
import { saveHarmed } from '../worktree/save-harmed.ts'
import { slugOf, type Worktree, worktreeOf, worktreesFolder } from '../worktree/slug.ts'
import { placeOf } from '../worktree/tree-place.ts'
import { markUnfinished } from '../worktree/unfinished.ts'
import { commitAll, lockReason, salvage } from '../worktree/worktree.ts'
import type { Recovery } from './recovery.ts'

/** How the commit of what a dead run left begins. */
export const unfinishedSubject = 'Unfinished work of run'

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
  const { git, repository, identity } = recovery
  const { commonDir } = repository
  const admin = findOurAdminFolder(commonDir, worktree)
  if (admin !== undefined && lockOf(admin) !== lockReason(run)) return undefined
  const save = { run, base: landed ?? `refs/heads/${base}`, message: messageOf(run), identity }
  const isWhole = () => findHarm(commonDir, worktree) === undefined
  let kept: string | undefined
  try {
    if (isHalfMade(admin)) kept = undefined
    else if (isWhole()) kept = await keepWork(recovery, run, worktree, { landed, base })
    else kept = await saveHarmed(git, repository, worktree, save)
  } catch (error) {
    if (!isFailure(error) || isWhole()) throw error
    kept = await saveHarmed(git, repository, worktree, save)
  }
  await removeWorktree(git, repository, worktree)
  return kept
}

const messageOf = (run: string) => `${unfinishedSubject} ${run}\n`

async function keepWork(
  { git, repository, identity }: Pick<Recovery, 'git' | 'repository' | 'identity'>,
  run: string,
  worktree: Worktree,
  { landed, base }: { landed: string | undefined; base: string },
): Promise<string | undefined> {
  const at = placeOf(repository, worktree)
  if (isBeingRemoved(at.gitDir)) return undefined
  rmSync(join(at.gitDir, 'index.lock'), { force: true })
  if (isRebasing(at.gitDir)) await abandonRebase(git, repository, worktree)
  const tip = `refs/heads/${base}`
  const from = await git.run(at, ['merge-base', 'HEAD', tip])
  const options = { from, amend: undefined, message: messageOf(run), identity }
  const { head, tree } = await commitAll(git, repository, worktree, options)
  const there = [from, tip, ...(landed === undefined ? [] : [landed])]
  for (const commit of there) if (tree === (await treeOf(git, at, commit))) return undefined
  if (await isWithin(git, at, head, tip)) return undefined
  return salvage(git, repository, worktree.slug, run, head)
}

/**
 * Worktrees that git knows as the dead run's, for when the bus that would tell has been removed. Gives the refs that
 * keep work.
 */
export async function sweepWorktrees(recovery: Recovery, run: string): Promise<string[]> {
  const { git, repository } = recovery
  const kept: string[] = []
  for (const admin of adminFolders(repository.commonDir)) {
    if (lockOf(admin) !== lockReason(run)) continue
    const slug = slugAt(repository, admin)
    if (slug === undefined) continue
    const worktree = worktreeOf(repository, slug)
    const head = await git.try(repository.here, ['symbolic-ref', '--short', '--quiet', 'HEAD'])
    const base = readRecordIn(admin)?.base ?? head.stdout.trim()
    const ref = await clearWorktree(recovery, run, worktree, undefined, base === '' ? worktree.branch : base)
    if (ref === undefined) continue
    await markUnfinished(git, repository, slug, ref)
    kept.push(ref)
  }
  return kept
}

/** What the worktree is called: by where git has it, or when that was changed, by what was noted. */
function slugAt(repository: Repository, admin: string): string | undefined {
  const path = dirname(placeNamedBy(admin) ?? '')
  if (dirname(path) === worktreesFolder(repository)) return basename(path)
  const id = readRecordIn(admin)?.id
  return id === undefined ? undefined : slugOf(id)
}
