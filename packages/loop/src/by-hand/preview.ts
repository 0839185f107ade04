import type { Env } from '@switchyard/ground/state-folder'
import { readConfig } from '../config/read-config.ts'
import { findChange, type Places } from '../land/find-change.ts'
import { landingSettings } from '../land/landing-settings.ts'
import { isAncestor } from '../land/remote.ts'
import { findAnyPass } from '../land/verified.ts'
import { treeOf } from '../worktree/commits.ts'
import { findBase, tipOf } from '../worktree/repository.ts'
import { verifyByHand, type Wanted } from './open-by-hand.ts'
import type { Preview } from './preview-schema.ts'

/** What a landing would do now. Nothing is fetched, and nothing changes. `env` names the key of this machine. */
export async function previewLanding(
  places: Places,
  wanted: Wanted,
  { env, now }: { env: Env; now: number },
): Promise<Preview> {
  const { git, repository } = places
  const { here, commonDir, root } = repository
  const verify = verifyByHand(root, wanted.verify, env)
  const { worktree, issue } = await findChange(places, wanted.change)
  const config = readConfig(root, env)
  const base = await findBase(git, repository, wanted.base ?? config.base)
  const { strategy, remote } = await landingSettings(git, repository, base, { config, flags: wanted.landing })
  const [tip, head] = [await tipOf(git, repository, base), await tipOf(git, repository, worktree.branch)]
  const isAhead = await isAncestor(git, repository, tip, head)
  const tree = await treeOf(git, here, head)
  const pass = verify === undefined ? undefined : findAnyPass({ commonDir, env }, tree, verify, now)
  return {
    ...{ issue: issue ?? null, branch: worktree.branch, base, strategy, push: remote?.remote ?? null },
    commits: Number(await git.run(here, ['rev-list', '--count', '--no-merges', `${tip}..${head}`])),
    rebase: !isAhead,
    conflicts: isAhead ? [] : await conflictsOf(places, tip, head),
    verify: verify ?? null,
    verified: pass !== undefined && isAhead,
  }
}

async function conflictsOf({ git, repository }: Places, tip: string, head: string): Promise<string[]> {
  const merge = ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', tip, head]
  const merged = await git.try(repository.here, merge)
  if (merged.exitCode !== 1) return []
  return merged.stdout
    .split('\0')
    .slice(1)
    .filter((path) => path !== '')
}
