// The archived logs of a store, and its log, as one.
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { folderIn } from '@switchyard/ground/disk'
import { type Line, parseRecord, readLines } from '@switchyard/jsonl'
import { asRefusal } from '../text/refusal.ts'

/** A line of an archive or of the log itself. */
export type OldLine = { readonly record: Record<string, unknown>; readonly line: Line; readonly isArchived: boolean }

/** The folder beside a log that keeps what it was before it was compacted. Exits 5 where a link is. */
export function archiveFolder(log: string): string {
  return folderIn({ path: dirname(log) }, 'archive')
}

/**
 * The records of all archives, oldest first, and then those of the log; what is damaged is left out, and `onDamaged`
 * told of each such line of the log.
 */
export function* readAllRecords(log: string, onDamaged: () => void): Generator<OldLine> {
  try {
    for (const path of [...archivesOf(log), log]) {
      for (const line of readLines(path)) {
        const record = parseRecord(line)
        if (record) yield { record, line, isArchived: path !== log }
        else if (path === log) onDamaged()
      }
    }
  } catch (error) {
    throw asRefusal(log, error)
  }
}

function archivesOf(log: string): string[] {
  const folder = archiveFolder(log)
  const names = existsSync(folder) ? readdirSync(folder) : []
  return names
    .filter((name) => /^issues\..+\.jsonl$/.test(name))
    .sort()
    .map((name) => join(folder, name))
}
