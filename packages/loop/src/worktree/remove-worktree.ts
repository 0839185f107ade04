import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { orRefused, orRefusedLater, realPathIfThere } from '@switchyard/ground/disk'
import { Failure, isFailure } from '@switchyard/ground/failure'
import type { Git } from '../programs/git.ts'
import { findAdminFolder, findOurAdminFolder, lockOf } from './admin-folder.ts'
import { findHarm } from './harm.ts'
import { keepSubmodules } from './keep-submodules.ts'
import { commitOf } from './ref-files.ts'
import type { Repository } from './repository.ts'
import { readShortFile } from './short-file.ts'
import { type Worktree, worktreesFolder } from './slug.ts'
import { placeOf } from './tree-place.ts'
import { lockReason } from './worktree.ts'

const removing = 'loop-removing'

/** Whether it was being removed by a process that did not come to its end: what was in it is safe elsewhere. */
export const isBeingRemoved = (adminFolder: string) => readShortFile(join(adminFolder, removing)) !== undefined

/**
 * Removes the worktree and, unless it is kept, its branch. Everything in it has been landed or salvaged before.
 * With `of`, one that another than that run holds is left alone. Repeating it is no error. It is removed by its path
 * and git's folder of it alone: where its pointers lead, nothing is.
 */
export async function removeWorktree(
  git: Git,
  repository: Repository,
  worktree: Worktree,
  { keepBranch = false, of }: { keepBranch?: boolean; of?: string } = {},
): Promise<void> {
  const { path, branch } = worktree
  const admin = findOurAdminFolder(repository.commonDir, worktree)
  if (of !== undefined && admin !== undefined && lockOf(admin) !== lockReason(of)) return
  ensureRemovable(repository, path)
  if (admin !== undefined && !isBeingRemoved(admin)) {
    await keepOfSubmodules(git, repository, worktree)
    orRefused(`${admin} was to be removed`, () => writeFileSync(join(admin, removing), ''))
  }
  await orRefusedLater(`${path} was to be removed`, () => rm(path, { recursive: true, force: true }))
  if (admin !== undefined) await removeAdmin(repository, admin)
  if (keepBranch) return
  const tip = await commitOf(git, repository, `refs/heads/${branch}`)
  if (tip === undefined) return
  await git.run(repository.here, ['update-ref', '--no-deref', '-d', `refs/heads/${branch}`, tip])
}

/** Failure `conflict` for a folder that is no linked worktree: a person's main tree, which has a branch of ours. */
function ensureRemovable(repository: Repository, path: string): void {
  const above = realPathIfThere(dirname(path)) ?? dirname(path)
  if (dirname(path) === worktreesFolder(repository) && above === dirname(path)) return
  if (path !== repository.mainTree && findAdminFolder(repository.commonDir, path) !== undefined) return
  throw new Failure('conflict', `expected ${path} to be a worktree, it is none that can be removed`, {
    retryable: false,
  })
}

/** What a harmed worktree has in submodules is kept where that can still be told; the rest goes. */
async function keepOfSubmodules(git: Git, repository: Repository, worktree: Worktree): Promise<void> {
  if (findHarm(repository.commonDir, worktree) !== undefined) return
  try {
    await keepSubmodules(git, repository, placeOf(repository, worktree), worktree.slug)
  } catch (error) {
    if (!isFailure(error) || findHarm(repository.commonDir, worktree) === undefined) throw error
  }
}

/** Git knows it no longer from one moment to the next. What is abandoned there, every run sweeps away. */
async function removeAdmin({ commonDir }: Repository, admin: string): Promise<void> {
  const away = join(commonDir, 'loop', `.new-gone-${basename(admin)}`)
  await orRefusedLater(`${admin} was to be removed`, async () => {
    mkdirSync(dirname(away), { recursive: true })
    rmSync(away, { recursive: true, force: true })
    renameSync(admin, away)
    await rm(away, { recursive: true, force: true })
  })
}
