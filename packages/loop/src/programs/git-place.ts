// Where a git command works. Git that is told its folders looks for none, and so never finds those of another
// repository: not from a worktree that has lost its `.git`, nor from one that points elsewhere.

import { dirname } from 'node:path'

declare const isProved: unique symbol

/**
 * Made by who can prove it, and proved again before each command. A command runs in the working tree, which it is told
 * as `.`: a folder that takes its place by name, after the command has begun, is not the one it works in.
 */
export type GitPlace = {
  /** The git folder; for a linked worktree its administrative folder. */
  readonly gitDir: string
  readonly commonDir: string
  /** Undefined: commands that want a working tree fail. */
  readonly workTree: string | undefined
  /** Failure `failed` when it is not as it was. */
  readonly prove: () => void
  readonly [isProved]: true
}

/** One that has a working tree. */
export type TreePlace = GitPlace & { readonly workTree: string }

type Folders = Pick<GitPlace, 'gitDir' | 'commonDir' | 'workTree'>

/** A place that is proved by `prove`, now and before each command. */
export function openPlaceOfGit<Of extends Folders>(folders: Of, prove: () => void): GitPlace & Of {
  prove()
  return { ...folders, prove } as GitPlace & Of
}

/** A repository without any working tree: its refs, its objects, its list of worktrees. */
export function repositoryPlace(commonDir: string): GitPlace {
  return openPlaceOfGit({ gitDir: commonDir, commonDir, workTree: undefined }, () => undefined)
}

/** What a command there is told by its environment. A setting `core.worktree` and a file `commondir` then say nothing. */
export function foldersInEnvironment({ gitDir, commonDir, workTree }: GitPlace): Record<string, string> {
  const tree = workTree === undefined ? { GIT_IMPLICIT_WORK_TREE: '0' } : { GIT_WORK_TREE: '.' }
  return { GIT_DIR: gitDir, GIT_COMMON_DIR: commonDir, ...tree }
}

const ofLoop = /^.*\/\.worktrees\/loop\/[^/]+(?=\/|$)/

/** Whether a folder lies in one of loop's worktrees. */
export const isOfLoop = (folder: string) => ofLoop.test(folder)

/** Around one of loop's worktrees git looks for no repository in the folder of them all, and in none above that. */
export function ceilingOf(folder: string): { GIT_CEILING_DIRECTORIES?: string } {
  const top = ofLoop.exec(folder)?.[0]
  return top === undefined ? {} : ceilingAt(top)
}

/** What a command in a worktree is told, so that git which it calls finds that one or none. */
export const ceilingAt = (worktree: string) => ({ GIT_CEILING_DIRECTORIES: dirname(worktree) })
