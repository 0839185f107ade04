// What the bus may not have heard of yet: a note for each write, made inside the section before the log has it and
// taken away once it is published. What a killed writer leaves behind is published by the next one.

import { folderIn, readStored } from '@switchyard/ground/disk'
import { systemCode } from '@switchyard/ground/failure'
import { join, mkdirSync, pid, readdirSync, rmSync } from '@switchyard/ground/machine'
import { writePlainFile } from '@switchyard/ground/plain-file'
import { isUlid } from '@switchyard/ground/ulid'
import { writeWhole } from '@switchyard/ground/whole-file'

/** Our own note, and those of writers that left the section before us: they are publishing still, or are dead. */
export type Outbox = { readonly own: string; readonly others: readonly string[] }

/** Where the bus cannot be written to for long, notes pile up; more than this are not made. */
const notesMax = 1000
/** How many notes of others one writer works off. */
const othersMax = 100

/**
 * Notes the ids of the lines that are about to be appended. Undefined when there is nothing to note or the disk
 * refuses: then they are published without that safety.
 */
export function noteUnpublished(store: string, ids: readonly string[]): Outbox | undefined {
  const [first] = ids
  if (first === undefined) return undefined
  const folder = folderIn({ path: store }, 'outbox')
  try {
    mkdirSync(folder, { recursive: true })
    const names = readdirSync(folder)
    const ignore = join(folder, '.gitignore')
    if (!names.includes('.gitignore')) writeWhole(ignore, `${ignore}.${pid}.draft`, '*\n')
    const notes = names.filter(isUlid).sort()
    if (notes.length >= notesMax) return undefined
    const own = join(folder, first)
    writePlainFile(own, JSON.stringify(ids))
    return { own, others: notes.slice(0, othersMax).map((name) => join(folder, name)) }
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return undefined
  }
}

/** Ids of the lines that a note names, none when it was cut off: nothing followed it. Undefined when it is gone. */
export function readNote(path: string): readonly string[] | undefined {
  const text = readStored(path)
  if (text === undefined) return undefined
  try {
    const ids: unknown = JSON.parse(text)
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
  } catch (error) {
    if (error instanceof SyntaxError) return []
    throw error
  }
}

/** Takes a note away: what it names is published, or never was in the log. */
export function dropNote(path: string): void {
  rmSync(path, { force: true })
}
