// What loop notes about a worktree it made, in git's own folder of that worktree: it goes away with the worktree,
// whoever removes it.

import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseJson } from '@switchyard/ground/parse-json'
import { writeWhole } from '@switchyard/ground/whole-file'
import { z } from 'zod'
import { findAdminFolder } from './admin-folder.ts'
import { readShortFile } from './short-file.ts'

const worktreeRecordSchema = z.object({
  v: z.literal(1),
  id: z.string().describe('what it was asked for by: the id of an issue, or a plain name'),
  issue: z.boolean().describe('whether that is an issue'),
  base: z.string().describe('branch that its work is to land on'),
  from: z.string().describe('commit that it was made at'),
  ready: z.boolean().describe('its set-up has come to its end'),
  config: z.string().optional().describe("hash of git's settings for this worktree alone; empty when it has none"),
  bus: z.string().optional().describe('the bus of the run that made it'),
  worker: z.string().optional().describe('who has claimed its issue for that run'),
})
export type WorktreeRecord = z.infer<typeof worktreeRecordSchema>

const nameOf = 'loop.json'

/** Undefined for a worktree that was made without one, or killed before it was written. */
export function readRecord(commonDir: string, path: string): WorktreeRecord | undefined {
  const folder = findAdminFolder(commonDir, path)
  return folder === undefined ? undefined : readRecordIn(folder)
}

export function readRecordIn(adminFolder: string): WorktreeRecord | undefined {
  const text = readShortFile(join(adminFolder, nameOf))
  if (text === undefined) return undefined
  const read = worktreeRecordSchema.safeParse(parseJson(text))
  return read.success ? read.data : undefined
}

/**
 * Whether git was killed while it made a worktree: it writes the index when all files are there, and the record comes
 * after that. A file that it had no time to check out looks deleted. One without an admin folder is none.
 */
export const isHalfMade = (adminFolder: string | undefined): boolean =>
  adminFolder !== undefined && readRecordIn(adminFolder) === undefined && !existsSync(join(adminFolder, 'index'))

/** Hash of what `config.worktree` says. */
export function configOf(adminFolder: string): string {
  const text = readShortFile(join(adminFolder, 'config.worktree'))
  return text === undefined ? '' : createHash('sha256').update(text).digest('hex')
}

/**
 * Notes it, with the settings as they are now. Others see the record whole or not at all. Nothing to do when git does
 * not know the worktree.
 */
export function writeRecord(commonDir: string, path: string, record: WorktreeRecord): void {
  const folder = findAdminFolder(commonDir, path)
  if (folder === undefined) return
  const target = join(folder, nameOf)
  writeWhole(target, `${target}.new`, `${JSON.stringify({ ...record, config: configOf(folder) })}\n`)
}
