import { join } from 'node:path'
import { Failure } from '@switchyard/ground/failure'
import { rootOf } from '@switchyard/ground/repository'
import { type ListedWorktree, parseWorktreeList } from '@switchyard/ground/worktree-list'
import type { Git } from '../programs/git.ts'
import { type GitPlace, isOfLoop, repositoryPlace } from '../programs/git-place.ts'
import { branchAt, commitOf } from './ref-files.ts'

/**
 * The repository a run works on. `root` is where its stores and worktrees lie, `here` what git is called with for refs
 * and objects. `mainTree` is `commonDir` where there is none.
 */
export type Repository = { here: GitPlace; commonDir: string; root: string; mainTree: string }

/** The repository around `cwd`: the same for its main tree, subfolders and linked worktrees, bare or not. */
export async function findRepository(git: Git, cwd: string): Promise<Repository> {
  const found = await git.find(cwd)
  if (found === undefined) {
    throw new Failure('usage', `expected a git repository, ${cwd} is in none`, { hint: 'cd into one, or git init' })
  }
  const { commonDir, gitDir, top } = found
  const here = repositoryPlace(commonDir)
  const isMain = gitDir === commonDir && top !== undefined && !isOfLoop(top)
  const mainTree = isMain ? top : ((await listWorktrees(git, here))[0]?.path ?? commonDir)
  return { here, commonDir, root: rootOf(commonDir), mainTree }
}

export async function listWorktrees(git: Git, here: GitPlace): Promise<ListedWorktree[]> {
  return parseWorktreeList((await git.run(here, ['worktree', 'list', '--porcelain', '-z'])).replace(/\n$/, ''))
}

/**
 * The local branch that work starts from and lands on: `wanted`, else the one the main tree has checked out, else the
 * usual ones.
 */
export async function findBase(git: Git, repository: Repository, wanted: string | undefined): Promise<string> {
  if (wanted !== undefined) {
    const name = wanted.replace(/^refs\/heads\//, '')
    if (await isBranch(git, repository, name)) return name
    throw new Failure('usage', `expected --base to name a local branch, there is no ${name}`, {
      hint: `git branch ${name} origin/${name}`,
    })
  }
  const plain = branchAt({ gitDir: repository.commonDir })
  if (plain !== undefined && (await isBranch(git, repository, plain))) return plain
  const [main] = await listWorktrees(git, repository.here)
  if (main && !main.bare && main.branch === null) {
    throw new Failure('usage', 'expected a branch to be checked out in the main tree, its HEAD is detached', {
      hint: 'name one with --base',
    })
  }
  const pointedAt = async (ref: string) =>
    (await git.try(repository.here, ['symbolic-ref', '--short', '--quiet', ref])).stdout.trim()
  const candidates = [
    async () => main?.branch ?? (await pointedAt('HEAD')),
    async () => (await pointedAt('refs/remotes/origin/HEAD')).replace(/^origin\//, ''),
    async () => 'main',
    async () => 'master',
  ]
  for (const candidate of candidates) {
    const name = await candidate()
    if (name !== '' && (await isBranch(git, repository, name))) return name
  }
  throw new Failure('usage', 'expected a branch with a commit to work from, found none', {
    hint: 'name one with --base',
  })
}

/** Whether there is such a branch. */
export async function isBranch(git: Git, repository: Repository, name: string): Promise<boolean> {
  return (await commitOf(git, repository, `refs/heads/${name}`)) !== undefined
}

/** The commit a branch is at. Failure `outside` without one. */
export async function tipOf(git: Git, repository: Repository, branch: string): Promise<string> {
  const ref = `refs/heads/${branch}`
  return (
    (await commitOf(git, repository, ref)) ?? git.run(repository.here, ['rev-parse', '--verify', `${ref}^{commit}`])
  )
}

/** What is locked while one landing is made. */
export const landingLock = (commonDir: string) => join(commonDir, 'loop-landing')
