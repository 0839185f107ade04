import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Repository } from './repository.ts'

/**
 * The name of an issue's worktree and branch: what is readable of the id, and a hash of all of it, so that ids which
 * differ only in case or in characters that no file name or ref may hold never share one. Lower case, at most 49
 * characters.
 */
export function slugOf(id: string): string {
  const readable = id
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '')
  const hash = createHash('sha256').update(id).digest('hex').slice(0, 8)
  return readable === '' ? hash : `${readable}-${hash}`
}

/** Whether a text can be the name of a worktree: a branch that a person made may have several words. */
export const isSlug = (text: string) => text.split('/').every((word) => !['', '.', '..'].includes(word))

/** A worktree that loop made, by its names. */
export type Worktree = { slug: string; path: string; branch: string }

/** The worktree of that slug, whether it is there or not. */
export function worktreeOf(repository: Repository, slug: string): Worktree {
  return { slug, path: join(worktreesFolder(repository), slug), branch: `loop/issue/${slug}` }
}

/** Where all worktrees of loop lie. */
export const worktreesFolder = ({ root }: Repository) => join(root, '.worktrees', 'loop')
