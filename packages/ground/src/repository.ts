import type { Stats } from 'node:fs'
import { readIfThere, statIfThere } from './disk.ts'
import { Failure } from './failure.ts'
import { basename, dirname, join, realpathSync, resolve } from './machine.ts'
import { isOurs } from './safe-directory.ts'

/**
 * A git repository as seen from a folder: `top` is the nearest folder that has it, `gitDir` this worktree's,
 * `commonDir` the one all worktrees share.
 */
export type Repository = { top: string; gitDir: string; commonDir: string }

/** Whether the repository in a folder is to be seen, given what lies there; one that is not is passed by. */
export type IsSeen = (folder: string, stats: Stats) => boolean

const hasAny = (folder: string, names: readonly string[]) => names.some((name) => statIfThere(join(folder, name)))

/**
 * The git folder that `folder` itself carries: a `.git` folder, a `.git` file that points to one, or a bare repository.
 * A `.git` that has nothing of a repository is none, as git has it: sandboxes put an empty one into each folder that
 * their agent may write, while a command runs.
 */
function gitDirIn(folder: string, isSeen: IsSeen): string | undefined {
  const dotGit = join(folder, '.git')
  const stats = statIfThere(dotGit)
  if (stats && isSeen(folder, stats)) {
    if (stats.isDirectory() && hasAny(dotGit, ['HEAD', 'objects', 'refs'])) return dotGit
    const pointer = /^gitdir: (.+?)\r?\n?$/.exec(readIfThere(dotGit) ?? '')
    if (pointer?.[1]) return resolve(folder, pointer[1])
  }
  const head = statIfThere(join(folder, 'HEAD'))
  const isBare = head && statIfThere(join(folder, 'objects')) && statIfThere(join(folder, 'refs'))
  return isBare && isSeen(folder, head) ? folder : undefined
}

/**
 * The repository that `cwd` (a real path) lies in, found without running git; nearest wins. GIT_DIR is not looked at:
 * git sets it in hooks and it leaks into children. `home` and the root folder are never a repository, so that a
 * versioned home captures no project. Fails when a worktree points to a repository that has moved: a private store in
 * its place would be a silent split. Another user's repository is passed by, unless `isSeen` says otherwise.
 */
export function findRepository(
  cwd: string,
  home: string | undefined,
  isSeen: IsSeen = (_, stats) => isOurs(stats),
): Repository | undefined {
  for (let folder = cwd; folder !== home && dirname(folder) !== folder; folder = dirname(folder)) {
    const gitDir = gitDirIn(folder, isSeen)
    if (!gitDir) continue
    if (!statIfThere(join(gitDir, 'HEAD'))) {
      throw new Failure('notFound', `${folder} belongs to a repository that is not at ${gitDir} any more`, {
        hint: 'run `git worktree repair` in the moved repository, or name a store with --store',
      })
    }
    const commonDir = commonDirOf(gitDir)
    return { top: folder, gitDir, commonDir: realpathSync.native(commonDir ? resolve(gitDir, commonDir) : gitDir) }
  }
  return undefined
}

/** What a linked worktree says. Looked for before it is read: a missing file costs an exception, and most have none. */
function commonDirOf(gitDir: string): string | undefined {
  const path = join(gitDir, 'commondir')
  return statIfThere(path) ? readIfThere(path)?.trim() : undefined
}

/** The root, in which a repository's stores lie: a function of the common folder alone, so that every worktree agrees. */
export function rootOf(commonDir: string): string {
  if (basename(commonDir) === '.git') return dirname(commonDir)
  if (!commonDir.includes('/modules/')) return commonDir
  const worktree = /^\s*worktree\s*=\s*(.+?)\s*$/m.exec(readIfThere(join(commonDir, 'config')) ?? '')
  return worktree?.[1] ? resolve(commonDir, worktree[1]) : commonDir
}
