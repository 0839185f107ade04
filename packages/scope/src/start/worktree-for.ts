import { Failure } from '@switchyard/ground/failure'
import type { Store } from '@switchyard/topic'
import { openScope } from '../session/scope-store.ts'
import { openGit } from '../worktree/git.ts'
import { sweepWorktrees } from '../worktree/sweep.ts'
import { type Wish, wishOf } from '../worktree/wish.ts'

type Asked = {
  readonly worktree?: boolean | undefined
  readonly base?: string | undefined
  readonly branch?: string | undefined
  readonly 'dry-run'?: boolean | undefined
  readonly store: Store
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The worktree that a new session is to have. What killed calls have left of others is cleared first. */
export async function worktreeFor(asked: Asked): Promise<{ worktree?: Wish }> {
  const { store, cwd, env, base, branch } = asked
  if (!asked.worktree) {
    if (base === undefined && branch === undefined) return {}
    throw new Failure('usage', `expected --worktree beside --${base === undefined ? 'branch' : 'base'}, there is none`)
  }
  const git = openGit(env)
  const worktree = await wishOf(git, openScope({ cwd, env }).repository, { cwd, base, branch })
  if (!asked['dry-run']) await sweepWorktrees(git, { store, env }, worktree.repository)
  return { worktree }
}
