// What a landing is put on top of.
import type { Git } from '../programs/git.ts'
import { type Repository, tipOf } from '../worktree/repository.ts'
import type { Landing } from './landing-run.ts'
import type { LandingSettings } from './landing-settings.ts'
import { fetchBase, isAncestor } from './remote.ts'

/** `tip`: where it is rebased to; `local`: where the local base is; `remote`: where the remote's is. */
export type Target = { tip: string; local: string; remote: string | undefined }

/**
 * The newer of the local base and the remote's, when it is pushed; a landing that ended already when the remote cannot
 * be reached, or when the two have gone different ways.
 */
export async function findTarget(
  git: Git,
  repository: Repository,
  { base, landing }: { base: string; landing: LandingSettings },
): Promise<Target | Landing> {
  const local = await tipOf(git, repository, base)
  if (landing.remote === undefined) return { tip: local, local, remote: undefined }
  const seen = await fetchBase(git, repository, landing.remote)
  if (seen.end === 'unreachable') return { of: 'landing', end: 'queued', reason: seen.reason }
  const { sha: remote } = seen
  if (remote === undefined || (await isAncestor(git, repository, remote, local))) return { tip: local, local, remote }
  if (landing.pr !== undefined || (await isAncestor(git, repository, local, remote)))
    return { tip: remote, local, remote }
  const { remote: name } = landing.remote
  const reason = `${base} and ${name}/${base} have diverged: merge or rebase ${base} onto ${name}/${base} first`
  return { of: 'landing', end: 'parked', reason }
}
