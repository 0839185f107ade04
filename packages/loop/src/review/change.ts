import { createHash } from 'node:crypto'
import { Failure } from '@switchyard/cli-kit/failure'
import type { Git } from '../git.ts'
import type { RunChild } from '../run/children.ts'

const diffTimeoutMs = 10 * 60_000

/** A commit, and what it changes on the base: equal for two commits of which one is a clean rebase of the other. */
export type Change = { sha: string; change: string | null }

type Place = { git: Git; runChild: RunChild; worktree: string }

/**
 * The change that `commit` makes to `base`, both any name of a commit. Failure `notFound` when there is no such commit
 * as `commit`; without a common ancestor there is no change.
 */
export async function readChange({ git, runChild, worktree }: Place, base: string, commit: string): Promise<Change> {
  const named = await git.try(worktree, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${commit}^{commit}`])
  if (named.exitCode !== 0) throw new Failure('notFound', `expected a commit, ${commit} names none in ${worktree}`)
  const sha = named.stdout.trim()
  const ancestor = await git.try(worktree, ['merge-base', base, sha])
  if (ancestor.exitCode !== 0) return { sha, change: null }
  return { sha, change: await hashOfDiff(runChild, worktree, ancestor.stdout.trim(), sha) }
}

/**
 * Hash of a diff without what tells where it applies: line numbers and the hashes of whole files. Spaces count, and so
 * do the bytes of binary files. Null for an empty diff.
 */
async function hashOfDiff(runChild: RunChild, cwd: string, from: string, to: string): Promise<string | null> {
  const hash = createHash('sha256')
  let open = ''
  let isEmpty = true
  const add = (line: string) => {
    isEmpty = false
    if (!/^index [0-9a-f]+\.\./.test(line)) hash.update(line.startsWith('@@ ') ? '@@\n' : `${line}\n`, 'latin1')
  }
  const plain = ['--no-color', '--no-ext-diff', '--no-textconv', '--no-renames', '--full-index', '--binary', '-U3']
  const { exitCode, stderr } = await runChild(['git', 'diff-tree', '-p', ...plain, from, to], {
    cwd,
    onOrphan: 'wait',
    timeoutMs: diffTimeoutMs,
    env: { LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0' },
    onOutput(chunk, stream) {
      if (stream === 'stderr') return
      const lines = (open + Buffer.from(chunk).toString('latin1')).split('\n')
      open = lines.pop() ?? ''
      for (const line of lines) add(line)
    },
  })
  if (exitCode !== 0) throw new Failure('outside', `git diff-tree failed in ${cwd}: ${stderr.trim()}`)
  if (open !== '') add(open)
  return isEmpty ? null : hash.digest('hex')
}
