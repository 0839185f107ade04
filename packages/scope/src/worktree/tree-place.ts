// The worktree of a session as git is called on it: by the folders that it really has, not by what lies in it, which
// its agent could have changed.
import { copyFileSync, existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readIfThere, realPathIfThere } from '@switchyard/ground/disk'
import { Failure } from '@switchyard/ground/failure'
import { type Git, listWorktrees } from './git.ts'
import { besideIndex, unhide } from './hidden.ts'
import type { Mark } from './mark-schema.ts'

/** `run` names git's folders and the working tree to git, whatever `.git` says there. */
export type TreePlace = {
  readonly path: string
  readonly gitDir: string
  readonly run: (args: readonly string[], index?: string) => Promise<string>
}

const operations = [
  ...['rebase-merge', 'rebase-apply', 'sequencer', 'MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'BISECT_LOG'],
]

/** Fails as `conflict` where it is no worktree of this repository on its session's branch, or git is in the middle of something. */
export async function proveTree(git: Git, commonDir: string, { path, branch }: Mark): Promise<TreePlace> {
  const gitDir = await git.run(path, ['rev-parse', '--absolute-git-dir'])
  const real = realPathIfThere(commonDir) ?? commonDir
  const isOurs =
    dirname(gitDir) === join(real, 'worktrees') && readIfThere(join(gitDir, 'gitdir'))?.trim() === join(path, '.git')
  if (!isOurs) throw notAsMade(path, 'is no worktree of this repository any more')
  const on = (await listWorktrees(git, commonDir)).find((one) => one.path === path)?.branch
  if (on !== branch)
    throw notAsMade(path, `is on ${on ?? 'no branch'}, its session's is ${branch}`, `git switch ${branch}`)
  const under = operations.find((name) => existsSync(join(gitDir, name)))
  if (under !== undefined) throw notAsMade(path, `is in the middle of something (${under})`, 'finish or abort it there')
  const env = { GIT_DIR: gitDir, GIT_COMMON_DIR: real, GIT_WORK_TREE: path }
  return {
    ...{ path, gitDir },
    run: (args, index) => git.run(path, args, index === undefined ? env : { ...env, GIT_INDEX_FILE: index }),
  }
}

const notAsMade = (path: string, what: string, hint?: string) =>
  new Failure('conflict', `${path} ${what}`, { retryable: false, ...(hint === undefined ? {} : { hint }) })

/** What is staged and what the files are, as trees; the index of the worktree stays as it is. */
export async function treesOf({ path, gitDir, run }: TreePlace): Promise<{ index: string; files: string }> {
  const own = join(gitDir, 'index')
  return besideIndex(own, async (copy) => {
    if (existsSync(own)) copyFileSync(own, copy)
    const [open] = (await run(['ls-files', '--unmerged', '-z'], copy)).split('\0')
    if (open !== '') throw notAsMade(path, `has a conflict that nobody has settled: ${open?.replace(/^.*\t/, '')}`)
    const index = await run(['write-tree'], copy)
    await unhide((args) => run(args, copy), path)
    await run(['add', '--all', '--sparse', '--', ':/'], copy)
    await refuseRepositories(path, await run(['ls-files', '--stage', '-z'], copy))
    return { index, files: await run(['write-tree'], copy) }
  })
}

/** A repository in a folder below is one entry to git, which keeps nothing of what is in it. */
async function refuseRepositories(path: string, staged: string): Promise<void> {
  for (const line of staged.split('\0')) {
    const [, below] = /^160000 [^\t]*\t(.*)$/s.exec(line) ?? []
    if (below === undefined || !existsSync(join(path, below, '.git'))) continue
    throw notAsMade(path, `has another repository in ${below}, whose work git would not keep`, 'move it away')
  }
}
