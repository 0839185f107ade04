// The log as it was folded up to a mark, and how that goes on: behind the mark, on the cache, or from the first line.
import { parseRecord, readLines, type Segment } from '@switchyard/jsonl'
import { findKeyed, idsNamed } from '../issue/issue.ts'
import { applyRecord, type EventFate, emptyLedger, type Ledger, settle } from '../log/fold.ts'
import { knowledgeOf } from '../log/knowledge.ts'
import { readCache } from './cache.ts'
import { isMarkOf, type Mark, markAt, type Opened, openedAs } from './mark.ts'
import type { Need } from './need.ts'
import { foldsOn } from './tail.ts'

const logBytesMin = 256 * 1024
const tailBytesMin = 64 * 1024

/**
 * A folded log up to `mark` (none when it has no line), and how many of its lines were no JSON object. `cached` is how
 * far the cache reaches of which the next reader can make use, and how long a tail is no reason to write it again; none
 * where nobody looked.
 */
export type LogReading = {
  ledger: Ledger
  damaged: number
  mark: Mark | undefined
  cached?: { end: number; tailBytesMax: number }
}

/** What became of an event that was read. */
export type Fate = { verdict: EventFate; record: Readonly<Record<string, unknown>> }

/** Fates of events, by their ids. */
export type Fates = Map<unknown, Fate>

/** Folds a log, which may not exist, as far as it is needed. */
export function readLog(log: string, need: Need): LogReading {
  if (need === 'everything') return readWhole(log)
  const cache = readCache(log)
  const tailBytesMax = Math.max(tailBytesMin, (cache?.headLength ?? 0) / 8)
  const reading = cache && readOn(log, { ...cache, cached: { end: cache.mark.end, tailBytesMax } })
  if (!reading) return { ...readWhole(log), cached: { end: 0, tailBytesMax: logBytesMin } }
  if (hasAll(reading.ledger, need)) return reading
  return { ...readWhole(log), ...(reading.cached ? { cached: reading.cached } : {}) }
}

/** Takes a reading to the end of the log as it is now; begins anew when what was read of it is not there any more. */
export function catchUp(log: string, reading: LogReading, need: Need): LogReading {
  return readOn(log, reading) ?? readLog(log, need)
}

/** Like `catchUp`; tells what became of at least the lines that came after `reading`. */
export function catchUpWith(log: string, reading: LogReading, fates: Fates): LogReading {
  return readOn(log, reading, fates) ?? readWhole(log, fates)
}

/** Whether the next reader would be served by a cache that is written now. */
export function isWorthSaving({ mark, cached }: LogReading): boolean {
  return mark !== undefined && cached !== undefined && mark.end - cached.end >= cached.tailBytesMax
}

function readWhole(log: string, fates?: Fates): LogReading {
  const first = foldFile(log, emptyReading(), fates) ?? emptyReading()
  const known = knowledgeOf(first.ledger, () => recordsOf(log))
  if (!known) return first
  fates?.clear()
  const again = foldFile(log, { ...emptyReading(), ledger: emptyLedger(known) }, fates) ?? emptyReading()
  again.ledger.repeated.clear()
  return again
}

function emptyReading(): LogReading {
  return { ledger: emptyLedger(), damaged: 0, mark: undefined }
}

function* recordsOf(log: string): Generator<Readonly<Record<string, unknown>>> {
  for (const line of readLines(log)) {
    const record = parseRecord(line)
    if (record) yield record
  }
}

/** Folds what stands behind the mark, in place; undefined when that cannot be, and `reading` is of no use any more. */
function readOn(log: string, reading: LogReading, fates?: Fates): LogReading | undefined {
  const read = foldFile(log, reading, fates)
  // What tells of lines before the mark can only be judged with them.
  return read && !read.ledger.isStale && read.ledger.repeated.size === 0 ? read : undefined
}

function foldFile(log: string, reading: LogReading, fates?: Fates): LogReading | undefined {
  const place = placeBehind(reading.mark)
  for (const line of readLines(log, place)) {
    place.end = line.end
    const record = parseRecord(line)
    if (record === undefined) {
      reading.damaged += 1
      continue
    }
    if (!foldsOn(reading.ledger, record)) return undefined
    const verdict = applyRecord(reading.ledger, record)
    if (verdict !== 'duplicate') fates?.set(record['id'], { verdict, record })
  }
  if (reading.mark !== undefined && !place.isFound) return undefined
  settle(reading.ledger)
  reading.mark = place.mark
  return reading
}

/** The way through the files of a log from a mark on, which is never found again once there are sealed ones. */
function placeBehind(mark: Mark | undefined) {
  let opened: Opened | undefined
  let isSealed = false
  const place = {
    mark,
    end: 0,
    isFound: false,
    enter(segment: Segment): number {
      opened = openedAs(segment)
      isSealed ||= segment.ulid !== undefined
      place.isFound = mark !== undefined && !isSealed && isMarkOf(segment, mark)
      place.end = place.isFound ? (mark?.end ?? 0) : 0
      return mark === undefined || place.isFound ? place.end : segment.size
    },
    leave(segment: Segment): void {
      const isNew = place.end > 0 && !(place.isFound && place.end === mark?.end)
      if (opened && isNew) place.mark = markAt(segment, opened, place.end)
    },
  }
  return place
}

function hasAll(ledger: Ledger, { openOnly, keys = [] }: Exclude<Need, 'everything'>): boolean {
  const isHere = (id: string) => ledger.issues.has(id)
  // What names none may have been deleted, which only the whole log knows; what names several is refused as it is.
  const named = openOnly.every((name) => {
    const [first, ...others] = idsNamed(ledger, name)
    return first !== undefined && (others.length > 0 || isHere(first))
  })
  return named && keys.flatMap((key) => findKeyed(ledger, key) ?? []).every(isHere)
}
