// The working trees that git is called in, each by its folders: those that loop made, and those of people.
import { Failure } from '@switchyard/ground/failure'
import type { Git } from '../programs/git.ts'
import { ceilingOf, isOfLoop, openPlaceOfGit, type TreePlace } from '../programs/git-place.ts'
import { findAdminFolder, findOurAdminFolder } from './admin-folder.ts'
import { findHarm, harmToFolder } from './harm.ts'
import type { Repository } from './repository.ts'
import type { Worktree } from './slug.ts'

/** A worktree that loop made. Failure `failed` when it is no longer as it was made. */
export function placeOf({ commonDir }: Repository, worktree: Worktree): TreePlace {
  const { path } = worktree
  const gitDir = findOurAdminFolder(commonDir, worktree) ?? commonDir
  return openPlaceOfGit({ gitDir, commonDir, workTree: path }, () => {
    const harm = findHarm(commonDir, worktree)
    if (harm !== undefined) throw harmed(path, harm)
  })
}

const harmed = (path: string, harm: string) =>
  new Failure('failed', `expected the worktree ${path} to be as loop made it, it ${harm}`, {
    hint: 'loop worktree remove --force keeps what is in it, and takes it away',
  })

/** A tree in which a person has a branch checked out: the main one, or a linked one. */
export function personsTree(
  { commonDir, mainTree }: Pick<Repository, 'commonDir' | 'mainTree'>,
  path: string,
): TreePlace {
  if (path === mainTree) return openPlaceOfGit({ gitDir: commonDir, commonDir, workTree: path }, () => undefined)
  const gitDir = findAdminFolder(commonDir, path)
  const worktree = { slug: '', branch: '', path }
  return openPlaceOfGit({ gitDir: gitDir ?? commonDir, commonDir, workTree: path }, () => {
    const harm = gitDir === undefined ? "is not in git's list" : (harmToFolder(path) ?? findHarm(commonDir, worktree))
    if (harm !== undefined) throw harmed(path, harm)
  })
}

/**
 * The working tree around a folder; undefined where there is none. Around one of loop's worktrees none further up is
 * looked for. Failure `failed` when it is one of them, and no longer as it was made.
 */
export async function treeAround(git: Git, folder: string): Promise<TreePlace | undefined> {
  const found = await git.find(folder, ceilingOf(folder))
  if (found?.top === undefined) return undefined
  const { commonDir, gitDir, top } = found
  const workTree = top
  const isLoops = isOfLoop(top)
  return openPlaceOfGit({ commonDir, gitDir, workTree }, () => {
    const harm = isLoops ? findHarm(commonDir, { slug: '', branch: '', path: top }) : undefined
    if (harm !== undefined) throw harmed(top, harm)
  })
}
