// The submodules of a worktree have repositories of their own, which go away with it. Their work is handed to the main
// tree's repositories first.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '@switchyard/ground/failure'
import { type Git, identityOf } from '../programs/git.ts'
import { repositoryPlace, type TreePlace } from '../programs/git-place.ts'
import type { Repository } from './repository.ts'
import { snapshot } from './snapshot.ts'
import { type CheckedOut, checkedOutSubmodules } from './submodules.ts'

/**
 * Keeps what the submodules of a worktree hold and their repositories in the main tree do not, under
 * `refs/loop/salvage/<slug>/` there, uncommitted changes included. Returns `<repository> <ref>` of each. Failure
 * `conflict` when there is work and no such repository.
 */
export async function keepSubmodules(
  git: Git,
  { commonDir, here }: Repository,
  tree: TreePlace,
  slug: string,
): Promise<string[]> {
  const kept: string[] = []
  for (const submodule of await checkedOutSubmodules(git, tree, join(commonDir, 'modules'))) {
    const { at, path, home } = submodule
    const identity = await identityOf(git, at, here)
    const commit = await snapshot(git, at, { message: `Work in the submodule of ${slug}\n`, identity })
    if (await isKept(git, submodule, commit)) continue
    if (!existsSync(join(home, 'HEAD'))) {
      throw new Failure('conflict', `the submodule ${path} holds work that is nowhere else`, {
        hint: 'push it, or run git submodule update --init in the main tree',
        retryable: false,
      })
    }
    const ref = `refs/loop/salvage/${slug}/${commit.slice(0, 12)}`
    await git.run(at, ['update-ref', ref, commit])
    const fetch = ['fetch', '--quiet', '--no-tags', '--', at.gitDir, `+${ref}:${ref}`]
    await git.run(repositoryPlace(home), fetch)
    kept.push(`${home} ${ref}`)
  }
  return kept
}

/** Whether a ref leads to the commit, at home or where the submodule came from. */
async function isKept(git: Git, { at, home }: CheckedOut, commit: string): Promise<boolean> {
  const remotes = ['for-each-ref', '--count=1', '--contains', commit, 'refs/remotes', 'refs/tags']
  if ((await git.try(at, remotes)).stdout !== '' && !existsSync(join(home, 'HEAD'))) return true
  if (!existsSync(join(home, 'HEAD'))) return false
  const contains = ['for-each-ref', '--count=1', '--contains', commit]
  return (await git.try(repositoryPlace(home), contains)).stdout !== ''
}
