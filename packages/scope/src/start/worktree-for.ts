import { parseDuration } from '@switchyard/cli-kit/duration'
import { Failure } from '@switchyard/ground/failure'
import type { Store } from '@switchyard/topic'
import { readConfig } from '../config/config-file.ts'
import type { Config } from '../config/config-schema.ts'
import { openScope } from '../session/scope-store.ts'
import { openGit } from '../worktree/git.ts'
import type { SetUp } from '../worktree/set-up.ts'
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
  return { worktree: { ...worktree, setUp: setUpIn(readConfig(env).worktree) } }
}

const setUpMsDefault = 600_000

const setUpIn = ({ setup, setup_timeout, copy }: Config['worktree']): SetUp => ({
  command: setup,
  timeoutMs: parseDuration(setup_timeout ?? '') ?? setUpMsDefault,
  copy: copy ?? [],
})
