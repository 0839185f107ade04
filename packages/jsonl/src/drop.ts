// Dropping the oldest sealed segments of a log beside writers that may still have one of them open: announced, read
// once more, recorded, and only then removed. A kill in between leaves the log as it was, or the rest to the next drop.

import { syncFolder } from '@switchyard/ground/disk'
import { basename, closeSync, dirname, join, rmSync } from '@switchyard/ground/machine'
import { writePlainFile } from '@switchyard/ground/plain-file'
import { copyWhole } from '@switchyard/ground/whole-file'
import { appendLine } from './append.ts'
import { droppedPath, leavingPath, readDropped, readLeaving } from './dropped.ts'
import { Judge, type TakesPart } from './judge.ts'
import { judgedEnd } from './judged-lines.ts'
import { parseRecord } from './parse.ts'
import { isContent, type Line, readLines } from './read.ts'
import { readSegmentBackwards } from './read-backwards.ts'
import { markSealed } from './seal.ts'
import { transact } from './section.ts'
import { openSegment, sealedFiles, sealedPath, sealedUlids } from './segments.ts'

/** What a log wants to keep. */
export type Retention = {
  /** Whether a line keeps its segment, and with it all newer ones. */
  isKept: (line: Line) => boolean
  /** Whether a line is one of those that a drop counts. */
  isCounted: (line: Line) => boolean
  /** Whether a file, given its path, stays for another reason, such as that somebody has not read it. */
  isHeld: (file: string) => boolean
  /** Whether a record takes part in judging conditional ones. */
  takesPart: TakesPart
  /** Called with each file before it is copied to the archive, for what its lines refer to. */
  beforeArchive?: (file: string) => void
}

/** How many of a file's lines count, and its bytes. */
export type Extent = { messages: number; bytes: number }

/** A file of a log, and whether anything in it is kept; if not, how much it has, and its last counted line's id. */
export type Survey = { file: string; isKept: boolean; last: string | null } & Extent

type Sealed = Survey & { ulid: string }

/**
 * A line of the side file: when (`at`, milliseconds since 1970) which segments were dropped (all up to `upTo`), how much
 * that was, `head` and `last` (ids, or null) of the last record among them that counts for conditional ones and the last
 * that is counted here, the folder they were copied to, and who had not read them.
 */
export type DropRecord = {
  v: 1
  id: string
  at: number
  upTo: string
  segments: number
  messages: number
  bytes: number
  head: string | null
  last: string | null
  archive?: string
  unread_by?: readonly string[]
}

/**
 * What goes into the record as it is. `archive` is a folder that exists; each segment is copied there before it is
 * dropped.
 */
export type DropOptions = Pick<DropRecord, 'id' | 'at' | 'archive' | 'unread_by'>

/** What the retention of a log has to know of one of its files; undefined when it is gone. */
export function surveyFile(path: string, ulid: string | undefined, retention: Retention): Survey | undefined {
  const segment = openSegment(ulid === undefined ? path : sealedPath(path, ulid), ulid)
  if (segment === undefined) return undefined
  const survey: Survey = { file: segment.path, isKept: false, last: null, messages: 0, bytes: segment.size }
  for (const line of readSegmentBackwards(segment)) {
    if (!isContent(line.text)) continue
    if (retention.isKept(line)) return { ...survey, isKept: true }
    if (!retention.isCounted(line)) continue
    survey.messages += 1
    survey.last ??= idOf(line)
  }
  return survey
}

/** Messages in what was dropped of a log before `consumer` had read it all, since a moment (milliseconds since 1970). */
export function countMissed(path: string, consumer: string, since: number): number {
  let missed = 0
  for (const line of readLines(droppedPath(path))) {
    const { at, messages, unread_by: unreadBy } = parseRecord(line) ?? {}
    const isMissed = Array.isArray(unreadBy) && unreadBy.includes(consumer) && typeof at === 'number' && at > since
    if (isMissed && typeof messages === 'number') missed += messages
  }
  return missed
}

/** The sealed segments that may go: from the oldest on, up to the first that is kept or held. Changes nothing. */
export function findDroppable(path: string, retention: Retention): Sealed[] {
  const droppable: Sealed[] = []
  for (const ulid of sealedUlids(path)) {
    const survey = surveyFile(path, ulid, retention)
    if (survey === undefined) continue
    if (survey.isKept || retention.isHeld(survey.file)) break
    droppable.push({ ...survey, ulid })
  }
  return droppable
}

/**
 * Drops the sealed segments that may go, and finishes what a killed drop began; undefined when none did. Writers need
 * not stop: a line that comes late and is kept keeps its segment, one that comes later is written again by its writer.
 * Failure `lockTimeout` when another process seals or drops all the while, `failed` when the disk refuses.
 */
export async function dropSegments(
  path: string,
  retention: Retention,
  options: DropOptions,
): Promise<DropRecord | undefined> {
  return transact(path, () => {
    finishDrop(path)
    markSealed(path)
    const newest = findDroppable(path, retention).at(-1)?.ulid
    if (newest === undefined) return undefined
    writePlainFile(leavingPath(path), `${newest}\n`)
    // Whoever wrote before the note is seen now; who writes behind it sees the note.
    const leaving = findDroppable(path, retention)
    const record = recordOf(path, leaving, retention, options)
    if (record !== undefined) {
      if (options.archive !== undefined) archiveFiles(path, leaving, options.archive, retention)
      appendLine(droppedPath(path), JSON.stringify(record))
    }
    finishDrop(path)
    return record
  })
}

/** Finishes what a killed drop began; the log stays as it is. Failure `lockTimeout` like `dropSegments`. */
export async function finishDropped(path: string): Promise<void> {
  await transact(path, () => finishDrop(path))
}

/** Whether a drop was begun and not finished: files are there that the log has no use for. */
export function isDropUnfinished(path: string): boolean {
  return readLeaving(path) !== undefined || sealedFiles(path).length > sealedUlids(path).length
}

/** Copies what goes; into a new archive also what went before, where conditional records find their head. */
function archiveFiles(path: string, leaving: readonly Sealed[], archive: string, { beforeArchive }: Retention): void {
  const copyOf = (file: string) => join(archive, basename(file))
  const copy = (file: string) => copyWhole(file, copyOf(file), `${copyOf(file)}.draft`)
  const isNew = sealedFiles(copyOf(path)).length === 0
  if (isNew && readDropped(path) !== undefined) copy(droppedPath(path))
  for (const { file } of leaving) {
    beforeArchive?.(file)
    copy(file)
  }
}

function recordOf(
  path: string,
  leaving: readonly Sealed[],
  { takesPart }: Retention,
  { id, at, ...rest }: DropOptions,
): DropRecord | undefined {
  const upTo = leaving.at(-1)?.ulid
  if (upTo === undefined) return undefined
  const total = (extent: keyof Extent) => leaving.reduce((sum, survey) => sum + survey[extent], 0)
  const last = leaving.map((survey) => survey.last).findLast((lastId) => lastId !== null) ?? null
  const head = headUpTo(path, upTo, takesPart)
  const counts = { segments: leaving.length, messages: total('messages'), bytes: total('bytes') }
  return { v: 1, id, at, upTo, ...counts, head, last, ...rest }
}

/** Id of the last record that counts up to the end of a segment. */
function headUpTo(path: string, ulid: string, takesPart: TakesPart): string | null {
  const segment = openSegment(sealedPath(path, ulid), ulid)
  if (segment === undefined) throw new Error(`bug: ${path} was dropped outside its section`)
  try {
    const end = judgedEnd(segment)
    return new Judge(path, takesPart).head({ inode: segment.inode, end })?.id ?? null
  } finally {
    closeSync(segment.fd)
  }
}

/** Removes the files of what was dropped, then the note, in this order: see `isInLog` in append.ts. */
function finishDrop(path: string): void {
  const upTo = readDropped(path)?.upTo ?? ''
  const files = sealedFiles(path).filter((ulid) => ulid <= upTo)
  for (const ulid of files) rmSync(sealedPath(path, ulid), { force: true })
  if (files.length > 0) syncFolder(dirname(path))
  rmSync(leavingPath(path), { force: true })
}

function idOf(line: Line): string | null {
  const id = parseRecord(line)?.['id']
  return typeof id === 'string' ? id : null
}
