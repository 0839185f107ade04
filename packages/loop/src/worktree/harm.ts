// Whether a worktree is still as loop made it. A runner, a verify command or a scaffolding tool may have removed its
// `.git`, or had it, or git's own folder of it, name another place: what git would do there, it would do elsewhere.
import type { Stats } from 'node:fs'
import { join, resolve } from 'node:path'
import { lstatAt } from '@switchyard/ground/at-path'
import { entriesIn, realPathIfThere } from '@switchyard/ground/disk'
import { findOurAdminFolder, placeNamedBy, pointerIn } from './admin-folder.ts'
import { configOf, readRecordIn } from './record.ts'
import { readShortFile } from './short-file.ts'
import type { Worktree } from './slug.ts'

/** What a sentence about the worktree says of it; undefined when nothing is wrong. Reads a few small files. */
export function findHarm(commonDir: string, worktree: Worktree): string | undefined {
  const { path } = worktree
  const folder = harmToFolder(path)
  if (folder !== undefined) return folder
  const admin = findOurAdminFolder(commonDir, worktree)
  return harmToPointer(path, admin) ?? (admin && harmToAdmin(commonDir, worktree, admin))
}

/** Why the folder is not the one that was made there. */
export function harmToFolder(path: string): string | undefined {
  const stats = lstatAt(path)
  if (stats === undefined) return 'is gone'
  if (stats.isSymbolicLink()) return 'has become a link'
  if (!stats.isDirectory()) return 'is no folder any more'
  return realPathIfThere(path) === path ? undefined : 'lies behind a link'
}

function harmToPointer(path: string, admin: string | undefined): string | undefined {
  const dotGit = join(path, '.git')
  const stats: Stats | undefined = lstatAt(dotGit)
  if (stats === undefined) return 'has lost its .git'
  if (stats.isDirectory()) return 'has become a repository of its own'
  if (admin === undefined) return "is not in git's list of worktrees"
  return pointerIn(dotGit) === admin ? undefined : 'has a .git that names another repository'
}

function harmToAdmin(commonDir: string, { path, branch }: Worktree, admin: string): string | undefined {
  const says = (file: string) => `belongs to ${admin}, where ${file} is not as it was`
  if (placeNamedBy(admin) !== join(path, '.git')) return says('gitdir')
  const common = readShortFile(join(admin, 'commondir'))?.trim()
  if (common === undefined || resolve(admin, common) !== commonDir) return says('commondir')
  const noted = readRecordIn(admin)?.config
  if (noted !== undefined && noted !== configOf(admin)) return says('config.worktree')
  const links = [...entriesIn(admin), ...entriesIn(join(admin, 'logs'))].find((entry) => entry.isSymbolicLink())
  if (links !== undefined) return says(links.name)
  const isLink = readShortFile(join(commonDir, 'refs', 'heads', branch))?.startsWith('ref:') ?? false
  return isLink ? `is on the branch ${branch}, which is another's name` : undefined
}
