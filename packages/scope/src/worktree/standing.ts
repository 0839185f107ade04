// How the worktree of a session stands: what it has that nobody else has.
import { existsSync } from 'node:fs'
import { changedFiles, commitOf, type Git, listWorktrees } from './git.ts'
import { hiddenChanges } from './hidden.ts'
import type { Mark } from './mark-schema.ts'

/** `tip` is the branch's newest commit; null where the branch is gone. */
export type Standing = {
  readonly isThere: boolean
  readonly tip: string | null
  /** Commits on its branch since it was made. */
  readonly commits: number
  /** Files with changes that are in no commit. */
  readonly uncommitted: readonly string[]
  /** Whether another branch, a tag or a remote has every commit of it. */
  readonly isMerged: boolean
}

/** Looks, and changes nothing. A worktree that somebody has moved to another branch counts as uncommitted whole. */
export async function standingOf(git: Git, commonDir: string, { path, branch, from }: Mark): Promise<Standing> {
  const tip = (await commitOf(git, commonDir, `refs/heads/${branch}`)) ?? null
  const found = (await listWorktrees(git, commonDir)).find((one) => one.path === path)
  const isThere = found !== undefined && existsSync(path)
  const uncommitted = isThere ? [...(await changedFiles(git, path, 'normal')), ...(await hiddenChanges(git, path))] : []
  const isElsewhere = isThere && found.branch !== branch
  return {
    ...{
      isThere,
      tip,
      uncommitted: isElsewhere ? [`it is on ${found.branch ?? 'no branch'}`, ...uncommitted] : uncommitted,
    },
    commits: tip === null ? 0 : Number(await git.run(commonDir, ['rev-list', '--count', `${from}..${tip}`])),
    isMerged: tip === null || (await isElsewhereToo(git, commonDir, branch)),
  }
}

async function isElsewhereToo(git: Git, commonDir: string, branch: string): Promise<boolean> {
  const others = [`--exclude=${branch}`, '--branches', '--tags', '--remotes']
  return (await git.run(commonDir, ['rev-list', '--max-count=1', `refs/heads/${branch}`, '--not', ...others])) === ''
}
