import { dirname, join, resolve } from 'node:path'
import { entriesIn } from '@switchyard/ground/disk'
import { parseJson } from '@switchyard/ground/parse-json'
import { isOnBranch } from './ref-files.ts'
import { readShortFile } from './short-file.ts'
import type { Worktree } from './slug.ts'
import { slugOf } from './slug.ts'

/**
 * Git's own folder of a linked worktree, found without git, also when the worktree's folder is gone; undefined when
 * git knows of none at that path. What lies in it goes away with the worktree.
 */
export function findAdminFolder(commonDir: string, path: string): string | undefined {
  return adminFolders(commonDir).find((folder) => placeNamedBy(folder) === join(path, '.git'))
}

/** Like `findAdminFolder`; when what names the path was changed, by what loop has noted there, or by its branch. */
export function findOurAdminFolder(commonDir: string, { path, slug, branch }: Worktree): string | undefined {
  // One whose worktree was moved elsewhere by `git worktree move` is not lost.
  const lost = adminFolders(commonDir).filter((folder) => !isNamedBack(folder))
  const isNoted = (folder: string) => {
    const noted: unknown = parseJson(readShortFile(join(folder, 'loop.json')) ?? '')
    const isRecord = typeof noted === 'object' && noted !== null && Object.hasOwn(noted, 'id')
    return isRecord && 'id' in noted && typeof noted.id === 'string' && slugOf(noted.id) === slug
  }
  return (
    findAdminFolder(commonDir, path) ??
    lost.find(isNoted) ??
    lost.find((folder) => isOnBranch({ gitDir: folder }, branch))
  )
}

function isNamedBack(folder: string): boolean {
  const there = placeNamedBy(folder)
  return there !== undefined && pointerIn(there) === folder
}

/** The folder that a `.git` file names. */
export function pointerIn(dotGit: string): string | undefined {
  const named = /^gitdir: (.+?)\r?\n?$/.exec(readShortFile(dotGit) ?? '')?.[1]
  return named === undefined ? undefined : resolve(dirname(dotGit), named)
}

/** The administrative folders of all linked worktrees. A link is none: what lies behind it is not git's. */
export function adminFolders(commonDir: string): string[] {
  return entriesIn(join(commonDir, 'worktrees'))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(commonDir, 'worktrees', name))
}

/** The `.git` that git believes to belong to it. */
export function placeNamedBy(folder: string): string | undefined {
  const pointer = readShortFile(join(folder, 'gitdir'))?.trim()
  return pointer === undefined ? undefined : resolve(folder, pointer)
}

/** Why git keeps the worktree locked; undefined when it does not. */
export function lockOf(folder: string): string | undefined {
  return readShortFile(join(folder, 'locked'))?.trim()
}
