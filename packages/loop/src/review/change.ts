import { createHash } from 'node:crypto'
import { Failure } from '@switchyard/ground/failure'
import type { Git } from '../programs/git.ts'
import type { GitPlace } from '../programs/git-place.ts'

/** A commit, and what it changes on the base: equal for two commits of which one is a clean rebase of the other. */
export type Change = { sha: string; change: string | null }

type GitAt = { git: Git; at: GitPlace }

/**
 * The change that `commit` makes to `base`, both any name of a commit. Failure `notFound` when there is no such commit
 * as `commit`; without a common ancestor there is no change.
 */
export async function readChange({ git, at }: GitAt, base: string, commit: string): Promise<Change> {
  const named = await git.try(at, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${commit}^{commit}`])
  if (named.exitCode !== 0) throw new Failure('notFound', `expected a commit, ${commit} names none in ${at.workTree}`)
  const sha = named.stdout.trim()
  const ancestor = await git.try(at, ['merge-base', base, sha])
  if (ancestor.exitCode !== 0) return { sha, change: null }
  return { sha, change: await hashOfDiff(git, at, ancestor.stdout.trim(), sha) }
}

/**
 * Hash of a diff without what tells where it applies: line numbers and the hashes of whole files. Spaces count, and so
 * do the bytes of binary files. Null for an empty diff.
 */
async function hashOfDiff(git: Git, at: GitPlace, from: string, to: string): Promise<string | null> {
  const hash = createHash('sha256')
  let open = ''
  let isEmpty = true
  const add = (line: string) => {
    isEmpty = false
    if (!/^index [0-9a-f]+\.\./.test(line)) hash.update(line.startsWith('@@ ') ? '@@\n' : `${line}\n`, 'latin1')
  }
  const plain = ['--no-color', '--no-ext-diff', '--no-textconv', '--no-renames', '--full-index', '--binary', '-U3']
  const { exitCode, stderr } = await git.try(at, ['diff-tree', '-p', ...plain, from, to], {
    onOutput(chunk, stream) {
      if (stream === 'stderr') return
      const lines = (open + Buffer.from(chunk).toString('latin1')).split('\n')
      open = lines.pop() ?? ''
      for (const line of lines) add(line)
    },
  })
  if (exitCode !== 0) throw new Failure('outside', `git diff-tree failed in ${at.workTree}: ${stderr.trim()}`)
  if (open !== '') add(open)
  return isEmpty ? null : hash.digest('hex')
}
