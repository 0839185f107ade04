import { Failure } from '@switchyard/ground/failure'
import { gitSays } from '@switchyard/ground/mechanical-git'
import { changedFiles, commitOf, type Git } from './git.ts'

/** The newest commit of the branch in the working tree, and how it got there. */
export type Merged = { readonly commit: string; readonly how: 'nothing to do' | 'fast-forward' | 'merge' }

/**
 * Merges a branch into the one that is checked out at `top`. A conflict touches nothing: the merge is made as a commit
 * first, and the working tree only goes forward to it. Exits 5 where the tree has changes, or the two conflict.
 */
export async function mergeBranch(git: Git, top: string, branch: string, message: string): Promise<Merged> {
  await ensureClean(git, top)
  const head = await git.run(top, ['rev-parse', 'HEAD'])
  const tip = await commitOf(git, top, `refs/heads/${branch}`)
  if (tip === undefined) throw new Failure('notFound', `the branch ${branch} is gone`)
  if (await isWithin(git, top, tip, head)) return { commit: head, how: 'nothing to do' }
  const isForward = await isWithin(git, top, head, tip)
  const commit = isForward ? tip : await mergeCommit(git, top, { head, tip, branch, message })
  await git.run(top, ['merge', '--ff-only', '--quiet', commit])
  return { commit, how: isForward ? 'fast-forward' : 'merge' }
}

const isWithin = async (git: Git, top: string, one: string, other: string) =>
  (await git.try(top, ['merge-base', '--is-ancestor', one, other])).exitCode === 0

type Sides = Readonly<Record<'head' | 'tip' | 'branch' | 'message', string>>

async function mergeCommit(git: Git, top: string, { head, tip, branch, message }: Sides): Promise<string> {
  const tree = await git.try(top, ['merge-tree', '--write-tree', '--name-only', '--no-messages', head, tip])
  const [written = '', ...files] = tree.stdout.trim().split('\n')
  if (tree.exitCode === 1) {
    throw new Failure('conflict', `${branch} conflicts in ${files.join(', ')}`, {
      hint: `merge by hand: git merge ${branch}`,
      retryable: false,
    })
  }
  if (tree.exitCode !== 0) throw new Failure('outside', `git would not merge ${branch}: ${gitSays(tree.stderr)}`)
  return git.run(top, ['commit-tree', '-p', head, '-p', tip, '-m', message, written])
}

async function ensureClean(git: Git, top: string): Promise<void> {
  const [changed] = await changedFiles(git, top, 'no')
  if (changed === undefined) return
  throw new Failure('conflict', `the working tree has changes that are in no commit: ${changed}`, {
    hint: 'commit or stash them',
    retryable: false,
  })
}
