// Commits and their trees. What this process has made or asked for once is remembered: a commit is never another one.
import type { Git } from '../programs/git.ts'
import type { GitPlace } from '../programs/git-place.ts'
import { headOf, isWholeId } from './ref-files.ts'

const trees = new Map<string, string>()
const made = new Map<string, { parent: string; message: string }>()

type NewCommit = { tree: string; parent: string; message: string; identity: Record<string, string> }

/** Writes a commit of a tree, which no ref is at yet, and returns its id. */
export async function commitTree(
  git: Git,
  at: GitPlace,
  { tree, parent, message, identity }: NewCommit,
): Promise<string> {
  const commit = await git.run(at, ['commit-tree', tree, '-p', parent, '-F', '-'], { input: message, env: identity })
  trees.set(commit, tree)
  made.set(commit, { parent, message })
  return commit
}

/** The tree of a commit, or of HEAD. */
export async function treeOf(git: Git, at: GitPlace, commit: string): Promise<string> {
  const id = commit === 'HEAD' ? await headOf(git, at) : commit
  const tree = trees.get(id) ?? (await git.run(at, ['rev-parse', '--verify', `${id}^{tree}`]))
  if (isWholeId(id)) trees.set(id, tree)
  return tree
}

/** The first parent of a commit. */
export async function parentOf(git: Git, at: GitPlace, commit: string): Promise<string> {
  return made.get(commit)?.parent ?? git.run(at, ['rev-parse', '--verify', `${commit}^`])
}

/** Whether a commit is in the history of another. */
export async function isWithin(git: Git, at: GitPlace, commit: string, other: string): Promise<boolean> {
  if (commit === other || made.get(other)?.parent === commit) return true
  return (await git.try(at, ['merge-base', '--is-ancestor', commit, other])).exitCode === 0
}

/** Whether this process made the commit on top of `parent`, with the trailer of an issue. False of others, be it so or not. */
export function isOneFor(issue: string, commit: string, parent: string): boolean {
  const known = made.get(commit)
  return known?.parent === parent && known.message.endsWith(`\n\nIssue: ${issue}\n`)
}
