// How a project lands its work: what its settings say, and flags that win over them.
import { Failure } from '@switchyard/ground/failure'
import type { Config } from '../config/config-schema.ts'
import { requireTrusted } from '../config/read-config.ts'
import type { ProjectConfig } from '../config/withhold.ts'
import type { Git } from '../programs/git.ts'
import type { Repository } from '../worktree/repository.ts'

/** A branch of a remote that is pushed to. */
export type RemoteBase = { remote: string; ref: string }

export type LandingSettings = {
  strategy: Config['strategy']
  /** Where the base is pushed to; undefined: nothing is fetched or pushed. */
  remote: RemoteBase | undefined
  /** A line of shell that proposes the branch instead of landing it. */
  pr: string | undefined
  /**
   * Somebody lands it: after a conflict the worktree is as it was before, and reviews made before count. In a run it
   * is set to the new base, to make the change again.
   */
  byHand: boolean
}

/** What flags may say. `push` is a remote, or true for the one of the base. */
export type LandingFlags = {
  push?: boolean | string | undefined
  strategy?: Config['strategy'] | undefined
  pr?: string | undefined
}

/**
 * Failure `usage` when there shall be pushed and there is no such remote; `conflict` when a command that proposes the
 * work waits for trust: without it, what somebody wants to look at first would land. A push that waits is left out.
 */
export async function landingSettings(
  git: Git,
  repository: Repository,
  base: string,
  { config, flags }: { config: ProjectConfig; flags: LandingFlags },
): Promise<LandingSettings> {
  if (flags.pr === undefined) requireTrusted(config, 'pr')
  const { push = config.push, strategy = config.strategy, pr = config.pr } = flags
  const remote = push === false ? undefined : await findRemote(git, repository, base, push)
  return { strategy, remote, pr, byHand: false }
}

async function findRemote(git: Git, { here }: Repository, base: string, push: true | string): Promise<RemoteBase> {
  const ask = async (...args: string[]) => (await git.try(here, args)).stdout.trim()
  const upstream = await ask('config', `branch.${base}.remote`)
  const remotes = (await ask('remote')).split('\n').filter((name) => name !== '')
  const remote = push === true ? (upstream !== '' && upstream !== '.' ? upstream : only(remotes)) : push
  if (remote === undefined || !remotes.includes(remote)) {
    throw new Failure(
      'usage',
      `expected a remote to push ${base} to, got ${remote ?? (remotes.join(', ') || 'none')}`,
      {
        hint: remotes.length === 0 ? 'git remote add origin URL' : 'name one of them in loop.json: {"push": "origin"}',
      },
    )
  }
  const merge = remote === upstream ? await ask('config', `branch.${base}.merge`) : ''
  return { remote, ref: merge === '' ? `refs/heads/${base}` : merge }
}

const only = (remotes: readonly string[]) =>
  remotes.includes('origin') || remotes.length !== 1 ? remotes.find((name) => name === 'origin') : remotes[0]
