// What a worktree is to be made of: found out, and refused, before anything is made.
import { relative } from 'node:path'
import { realPathIfThere } from '@switchyard/ground/disk'
import { Failure } from '@switchyard/ground/failure'
import type { Repository } from '@switchyard/ground/repository'
import { changedFiles, commitOf, type Git } from './git.ts'
import type { SetUp } from './set-up.ts'

export type Wish = {
  readonly repository: Repository
  /** The branch, or whatever was named, that the work is for; `from` is the commit that this was then. */
  readonly base: string
  readonly from: string
  /** The name of its branch; undefined for one made of the id. */
  readonly branch: string | undefined
  /** The folder within it where the agent works. */
  readonly folder: string
  /** What it gets before work begins in it. */
  readonly setUp?: SetUp
}

type Asked = { readonly cwd: string; readonly base: string | undefined; readonly branch: string | undefined }

/**
 * Exits 2 without a repository, a commit, or such a base; 5 when the branch is there, or when something is not
 * committed that the worktree would not have.
 */
export async function wishOf(git: Git, repository: Repository | undefined, asked: Asked): Promise<Wish> {
  const { cwd, branch } = asked
  if (repository === undefined) {
    throw new Failure('usage', `expected a git repository to make a worktree of, ${cwd} is in none`, {
      hint: 'cd into one, or git init',
    })
  }
  if (asked.base?.startsWith('-')) throw noBase(asked.base)
  const from = await commitOf(git, cwd, asked.base ?? 'HEAD')
  if (from === undefined) throw noBase(asked.base)
  if (asked.base === undefined) await ensureClean(git, cwd)
  if (branch !== undefined) await ensureFree(git, cwd, branch)
  const isBare = repository.top === repository.commonDir
  const folder = isBare ? '' : relative(realPathIfThere(repository.top) ?? repository.top, realPathIfThere(cwd) ?? cwd)
  if (folder !== '' && (await git.try(cwd, ['cat-file', '-e', `${from}:${folder}`])).exitCode !== 0) {
    throw new Failure('notFound', `expected ${folder} to be in ${asked.base ?? 'HEAD'}, it is not committed there`)
  }
  return { repository, base: await nameOf(git, cwd, asked.base ?? 'HEAD', from), from, branch, folder }
}

const noBase = (base: string | undefined) =>
  base === undefined
    ? new Failure('usage', 'expected a commit to begin from, the repository has none', { hint: 'git commit' })
    : new Failure('usage', `expected --base to name a commit, there is no ${base}`)

async function ensureClean(git: Git, cwd: string): Promise<void> {
  const isWithin = (await git.try(cwd, ['rev-parse', '--is-inside-work-tree'])).stdout.trim() === 'true'
  const [changed] = isWithin ? await changedFiles(git, cwd, 'no') : []
  if (changed === undefined) return
  throw new Failure('conflict', `what is not committed would not be in the worktree: ${changed}`, {
    hint: 'commit it, or begin without it: --base HEAD',
    retryable: false,
  })
}

async function ensureFree(git: Git, cwd: string, branch: string): Promise<void> {
  if ((await git.try(cwd, ['check-ref-format', `refs/heads/${branch}`])).exitCode !== 0 || branch.startsWith('-')) {
    throw new Failure('usage', `expected --branch to be the name of a branch, got ${JSON.stringify(branch)}`)
  }
  if ((await commitOf(git, cwd, `refs/heads/${branch}`)) !== undefined) throw branchIsThere(branch)
}

/** A branch is only ever made, and never taken over. */
export const branchIsThere = (branch: string) =>
  new Failure('conflict', `the branch ${branch} is there already`, { hint: 'name another: --branch', retryable: false })

/** HEAD moves on: what stands for it is the branch that it is on, else the commit. */
async function nameOf(git: Git, cwd: string, base: string, from: string): Promise<string> {
  if (base !== 'HEAD') return base
  const on = await git.try(cwd, ['symbolic-ref', '--quiet', '--short', 'HEAD'])
  return on.exitCode === 0 ? on.stdout.trim() : from
}
