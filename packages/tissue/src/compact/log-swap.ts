// The disk side of compaction: a new log takes the place of the old one, which stays as an archive.

import { linkSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { statAt } from '@switchyard/ground/at-path'
import { entriesIn, makeFolder, syncFolder } from '@switchyard/ground/disk'
import { Failure } from '@switchyard/ground/failure'
import { writePlainFile } from '@switchyard/ground/plain-file'
import { appendLines, checkLog, type Line, parseRecord, readLines, transact } from '@switchyard/jsonl'
import type { Draft } from '../log/draft.ts'
import { applyRecord, type EventFate, emptyLedger } from '../log/fold.ts'
import { refuseLater } from '../log/refuse-later.ts'
import { type Author, writeLines } from '../log/write-lines.ts'
import type { KnownEvent } from '../schema/event-schema.ts'
import { asRefusal } from '../text/refusal.ts'
import { archiveFolder } from './archives.ts'
import { type Plan, planCompaction } from './compaction.ts'
import { type SourceLine, traceLog } from './traced-log.ts'

/** One event names at most so many others: a longer line is a burden to whoever reads it. */
const idsMax = 10_000
/** What became of a line that the log has not got yet. */
const news: readonly EventFate[] = ['applied', 'unknown', 'foreign']
const draftEnding = '.draft'

/** What a compaction came to, or would. Sizes in bytes; `archive` is the path of the old log. */
export type Compaction = {
  readonly lines: number
  readonly bytes: number
  readonly linesAfter: number
  readonly bytesAfter: number
  readonly archive: string | null
  readonly events: readonly KnownEvent[]
}

type Content = { readonly lines: readonly SourceLine[]; readonly bytes: number; readonly inode: number | undefined }

/** What `compactLog` would do now. Changes nothing. */
export function weighCompaction(log: string, author: Author): Compaction {
  const content = readContent(log)
  return compactionOf(content, planCompaction(content.lines, author.now()), author, archivePath(log, author))
}

/**
 * Puts the lines that something depends on in the place of the log, in the exclusive section. At each moment readers
 * see the old log or the new one; what others append to the old one meanwhile is taken over. Does nothing when that
 * would save nothing. `onSwap` is told inside the section what the new log is about to begin with.
 */
export async function compactLog(
  log: string,
  author: Author,
  onSwap: (events: readonly KnownEvent[]) => void,
): Promise<Compaction> {
  try {
    return await transact(log, () => compactNow(log, author, onSwap))
  } catch (error) {
    throw asRefusal(log, error)
  }
}

function compactNow(log: string, author: Author, onSwap: (events: readonly KnownEvent[]) => void): Compaction {
  refuseCorrupt(log)
  sweep(log)
  takeLate(log)
  const content = readContent(log)
  const plan = planCompaction(content.lines, author.now())
  const archive = archivePath(log, author)
  const compaction = compactionOf(content, plan, author, archive)
  if (compaction.archive === null) return compaction
  onSwap(compaction.events)
  makeFolder(archiveFolder(log))
  linkSync(log, archive)
  const text = [...compaction.events.map((event) => JSON.stringify(event)), ...plan.kept].map((line) => `${line}\n`)
  replaceLog(log, content, archive, text.join(''))
  takeLate(log)
  return compaction
}

/**
 * Puts the new log in place, if the old one is still all that was read and has its second name. Else the lock did not
 * keep others out: what they wrote to another log would go with it, and a claim in this one would be judged too late.
 */
function replaceLog(log: string, { inode, bytes }: Content, archive: string, text: string): void {
  const draft = `${archive}${draftEnding}`
  writePlainFile(draft, text, { flush: true })
  if (inodeOf(log) !== inode || inodeOf(archive) !== inode || linesBehind(archive, bytes).length > 0) {
    for (const path of [draft, archive]) rmSync(path, { force: true })
    throw new Failure('conflict', 'expected nobody else to write to the log meanwhile, somebody has', {
      hint: 'nothing was compacted; try again',
    })
  }
  renameSync(draft, log)
  syncFolder(dirname(log))
}

/** Failure `corrupt` for a damaged log: nobody knows what it says. */
function refuseCorrupt(log: string): void {
  const [first] = checkLog(log).corrupt
  if (!first) return
  throw new Failure('corrupt', `expected a sound log, ${first.file}:${first.line} is not: ${first.reason}`, {
    hint: 'mend it first; see tissue doctor',
  })
}

function compactionOf({ lines, bytes }: Content, plan: Plan, author: Author, archive: string): Compaction {
  const { ledger } = traceLog(lines)
  refuseLater(ledger)
  const written = writeLines(draftsOf(plan, bytes, basename(archive)), ledger, author)
  const texts = [...written.map(({ text }) => text), ...plan.kept]
  const bytesAfter = texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0)
  const before = { lines: lines.length, bytes }
  // A log that only gains a line by it stays as it is.
  if (plan.dropped === 0 || bytesAfter >= bytes)
    return { ...before, linesAfter: lines.length, bytesAfter: bytes, archive: null, events: [] }
  const events = written.flatMap(({ event }) => event ?? [])
  return { ...before, linesAfter: texts.length, bytesAfter, archive, events }
}

/** The events that say what was dropped, and what is known of the rest; the first one counts all lines. */
function draftsOf({ gone, judged, dropped }: Plan, bytes: number, archive: string): Draft[] {
  const parts = Array.from(
    { length: Math.max(1, Math.ceil(Math.max(gone.length, judged.length) / idsMax)) },
    (_, part) => {
      const partOf = (ids: readonly string[]) => ids.slice(part * idsMax, (part + 1) * idsMax)
      return { gone: partOf(gone), judged: partOf(judged) }
    },
  )
  return parts.map((part, index) => ({
    type: 'compacted',
    archive,
    dropped: index === 0 ? dropped : 0,
    ...(part.gone.length > 0 ? { gone: part.gone } : {}),
    ...(part.judged.length > 0 ? { judged: part.judged } : {}),
    bytes,
  }))
}

function archivePath(log: string, { now, ulid }: Author): string {
  return join(archiveFolder(log), `issues.${ulid(now())}.jsonl`)
}

/** What a compaction left that was killed: its draft, and a second name of a log that is still in use. */
function sweep(log: string): void {
  const folder = archiveFolder(log)
  for (const name of entriesIn(folder).map(({ name }) => name)) {
    const path = join(folder, name)
    if (name.endsWith(draftEnding) || inodeOf(path) === inodeOf(log)) rmSync(path, { force: true })
  }
}

/** Appends what came to an archive after its lines had been taken over, by a writer without the lock. */
function takeLate(log: string): void {
  const ledger = emptyLedger()
  // Lines without an id are known by all that they say.
  const known = new Set<string>()
  const archives = new Map<string, number>()
  for (const { text, record } of readContent(log).lines) {
    if (record === undefined) continue
    const verdict = applyRecord(ledger, record, (event) => {
      if (event.type === 'compacted') archives.set(event.archive, event.bytes ?? 0)
    })
    if (verdict === 'foreign') known.add(text)
  }
  // The latest compaction stands first.
  const late = [...archives].reverse().flatMap(([archive, bytes]) => {
    return linesBehind(join(archiveFolder(log), basename(archive)), bytes).filter((line) => {
      const record = parseRecord(line)
      return record && !known.has(line.text) && news.includes(applyRecord(ledger, record))
    })
  })
  appendLines(
    log,
    late.map(({ text }) => text),
  )
}

function linesBehind(archive: string, offset: number): Line[] {
  const inode = inodeOf(archive)
  return inode === undefined ? [] : [...readLines(archive, { inode, offset })]
}

function readContent(log: string): Content {
  const lines: SourceLine[] = []
  let bytes = 0
  let inode: number | undefined
  for (const line of readLines(log)) {
    lines.push({ text: line.text, record: parseRecord(line) })
    bytes = line.end
    inode = line.inode
  }
  return { lines, bytes, inode }
}

function inodeOf(path: string): number | undefined {
  return statAt(path)?.ino
}
