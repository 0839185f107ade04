// The base on its remote: seen, fetched, pushed to. Never forced.
import { existsSync } from 'node:fs'
import { gitSays } from '@switchyard/ground/mechanical-git'
import type { Git } from '../programs/git.ts'
import { isWithin } from '../worktree/commits.ts'
import type { Repository } from '../worktree/repository.ts'
import { personsTree } from '../worktree/tree-place.ts'
import type { RemoteBase } from './landing-settings.ts'

/** `sha` is undefined while the remote has no such branch. */
export type Seen = { end: 'seen'; sha: string | undefined } | { end: 'unreachable'; reason: string }

const fetchAttempts = 3
const absent = 2

/**
 * Asks a remote. One that is a relative path means it from the top of the main tree, where its user typed it; which
 * repository is meant is said all the same.
 */
export function askRemote(git: Git, repository: Repository, args: readonly string[]) {
  const { here, commonDir, mainTree } = repository
  const isThere = mainTree !== commonDir && existsSync(mainTree)
  return git.try(isThere ? personsTree(repository, mainTree) : here, args)
}

/** The commit that the branch is at on the remote, with its history fetched into a ref of our own. */
export async function fetchBase(git: Git, repository: Repository, { remote, ref }: RemoteBase): Promise<Seen> {
  const listed = await askRemote(git, repository, ['ls-remote', '--exit-code', '--', remote, ref])
  if (listed.exitCode === absent) return { end: 'seen', sha: undefined }
  if (listed.exitCode !== 0) return unreachable(remote, listed.stderr)
  const line = listed.stdout.split('\n').find((text) => text.endsWith(`\t${ref}`))
  const sha = line?.split('\t')[0]
  if (sha === undefined || (await hasCommit(git, repository, sha))) return { end: 'seen', sha }
  const spec = `+${ref}:refs/loop/remote/${ref.replace(/^refs\/heads\//, '')}`
  const quiet = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--refmap=']
  for (let attempt = 1; ; attempt++) {
    const fetched = await askRemote(git, repository, ['fetch', ...quiet, '--', remote, spec])
    if (await hasCommit(git, repository, sha)) return { end: 'seen', sha }
    if (attempt === fetchAttempts) return unreachable(remote, fetched.stderr)
  }
}

async function hasCommit(git: Git, { here }: Repository, sha: string): Promise<boolean> {
  return (await git.try(here, ['cat-file', '-e', `${sha}^{commit}`])).exitCode === 0
}

const unreachable = (remote: string, stderr: string) =>
  ({ end: 'unreachable', reason: `${remote} cannot be reached: ${gitSays(stderr)}` }) as const

/** How a push ended. `moved`: the branch is no longer at the commit it was seen at, and ours is not in it. */
export type Pushed = { end: 'pushed' | 'moved' } | { end: 'refused' | 'unreachable'; reason: string }

/**
 * Pushes a descendant of `observed`. Whatever git says, the remote itself is asked how it ended: an answer that was
 * lost on the way is no failed push.
 */
export async function pushBase(
  git: Git,
  repository: Repository,
  base: RemoteBase,
  { sha, observed }: { sha: string; observed: string | undefined },
): Promise<Pushed> {
  const pushed = await askRemote(git, repository, [
    'push',
    '--quiet',
    '--no-verify',
    '--',
    base.remote,
    `${sha}:${base.ref}`,
  ])
  if (pushed.exitCode === 0) return { end: 'pushed' }
  const now = await fetchBase(git, repository, base)
  if (now.end === 'unreachable') return now
  if (now.sha !== undefined && (await isAncestor(git, repository, sha, now.sha))) return { end: 'pushed' }
  if (now.sha !== observed || /cannot lock ref|failed to update ref/.test(pushed.stderr)) return { end: 'moved' }
  return { end: 'refused', reason: `${base.remote} refused the push: ${gitSays(pushed.stderr)}` }
}

/** Whether `older` is in the history of `newer`. */
export function isAncestor(git: Git, { here }: Repository, older: string, newer: string): Promise<boolean> {
  return isWithin(git, here, older, newer)
}

/** Whether a commit is on the local base. */
export function isOnBase(git: Git, repository: Repository, sha: string, base: string): Promise<boolean> {
  return isAncestor(git, repository, sha, `refs/heads/${base}`)
}
