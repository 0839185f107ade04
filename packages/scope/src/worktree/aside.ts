// What git ignores in a worktree that is given up for a while: it is in no commit, and waits beside.
import { readdirSync, renameSync, rmdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { lstatAt } from '@switchyard/ground/at-path'
import { makeFolder } from '@switchyard/ground/disk'
import type { Mark } from './mark-schema.ts'

/** Where the ignored files of a worktree wait. */
export const asideOf = ({ path }: Pick<Mark, 'path'>) => `${path}.ignored`

/**
 * Moves what is at one place to another, where nothing is; of two folders what is in them. May be repeated after a kill
 * at any step. Returns what stays, because something else is there.
 */
export function moveOver(from: string, to: string): string[] {
  const [source, target] = [lstatAt(from), lstatAt(to)]
  if (source === undefined) return []
  if (target === undefined) {
    makeFolder(dirname(to))
    renameSync(from, to)
    return []
  }
  if (!source.isDirectory() || !target.isDirectory()) return [from]
  const left = readdirSync(from).flatMap((name) => moveOver(join(from, name), join(to, name)))
  if (left.length === 0) rmdirSync(from)
  return left
}
