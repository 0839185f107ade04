// The only disk of leases: `.jwz/leases.jsonl`, appended to in an exclusive section and read back from its end.
import { join } from 'node:path'
import { orRefused } from '@switchyard/ground/disk'
import { Failure, isFailure } from '@switchyard/ground/failure'
import { ulid } from '@switchyard/ground/ulid'
import {
  appendLine,
  appendLines,
  type Line,
  type LogPlace,
  type Position,
  parseRecord,
  readLines,
  readLinesBackwards,
  transact,
} from '@switchyard/jsonl'
import { createBus, type Store } from '@switchyard/topic'
import type { Actor } from './decide.ts'
import { foldLease, type Lease, type Leases, noLeases } from './fold.ts'
import { isLeaseRecord } from './record.check.ts'
import type { LeaseRecord } from './schema.ts'

/** What was folded: the leases, the records that count and the lines since the last checkpoint, and the end. */
export type LeaseReading = { leases: Leases; counted: LeaseRecord[]; lines: number; end: LogPlace | undefined }

/** What a verb wants written; called again when another came first, so it must not act. */
export type Decide = (leases: Leases, actor: Actor) => readonly LeaseRecord[]

/** The records that were written and count, the log up to the last of them, and what counted in it before. */
export type LeaseChange = { written: LeaseRecord[]; reading: LeaseReading; earlier: readonly LeaseRecord[] }

/** Runs `body` while no other process does. */
export type Section = <T>(path: string, body: () => T) => Promise<T>

const checkpointEveryLines = 256
/** A lease that was over for so long by the clock of whoever writes a checkpoint is left out of it. */
const forgetMs = 24 * 3600 * 1000
const attemptsMax = 8

/** Where the leases of a store are. */
export function leaseLog(store: Store): string {
  return join(store.path, 'leases.jsonl')
}

/**
 * The leases of a log, which may not exist. Reads back to the last checkpoint, or everything with `whole`, which also
 * knows how leases of long ago ended. `upTo` leaves out what stands behind that line.
 */
export function readLeases(
  log: string,
  { upTo, whole = false }: { upTo?: Position; whole?: boolean } = {},
): LeaseReading {
  const reading: LeaseReading = { leases: noLeases(), counted: [], lines: 0, end: undefined }
  for (const line of whole ? readLines(log) : linesSinceCheckpoint(log, upTo)) {
    reading.lines += 1
    reading.end = { inode: line.inode, offset: line.end }
    foldLine(reading, line)
    if (isAt(line, upTo)) break
  }
  return reading
}

/**
 * Writes what `decide` asks for, or nothing; returns once it is on disk, was read back and counts. Losers that cannot
 * win any more do not wait for the lock. Exits 5 when others came first too often, 6 when the section could not be had.
 */
export async function changeLeases(
  store: Store,
  author: { from: string; now: () => number },
  decide: Decide,
  { whole = false, section = transact }: { whole?: boolean; section?: Section } = {},
): Promise<LeaseChange> {
  const log = leaseLog(store)
  const first = readLeases(log, { whole })
  if (decide(first.leases, actorOf(author)).length === 0) return { written: [], reading: first, earlier: [] }
  createBus(store)
  const done: { change?: Pick<LeaseChange, 'written' | 'reading'> } = {}
  try {
    await section(log, () => {
      done.change = write(log, author, decide, whole)
    })
  } catch (error) {
    if (done.change === undefined) {
      orRefused(`a lease was to be written to ${log}`, () => {
        throw error
      })
    }
    // The records count, whatever became of the lock: it only saves losers the work.
    if (!isFailure(error)) throw error
  }
  if (done.change === undefined) throw new Error('bug: a section ended without its body')
  return { ...done.change, earlier: first.counted }
}

function write(
  log: string,
  author: { from: string; now: () => number },
  decide: Decide,
  whole: boolean,
): Pick<LeaseChange, 'written' | 'reading'> {
  const written: LeaseRecord[] = []
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const actor = actorOf(author)
    const before = readAndRest(log, actor, whole)
    const records = decide(before.leases, actor)
    const texts = records.map((record) => JSON.stringify(record))
    const last = appendLines(log, texts).at(-1)
    if (last === undefined) return { written, reading: before }
    const reading = readLeases(log, { upTo: last })
    const ids = new Set(reading.counted.map(({ id }) => id))
    const counted = records.filter(({ id }) => ids.has(id))
    written.push(...counted)
    if (counted.length === records.length) return { written, reading }
  }
  throw new Failure('conflict', `expected to be first in ${log}, others were ${attemptsMax} times`, {
    hint: 'try again',
  })
}

/** The leases as they stand; from time to time it is written down, so that nobody has to read further back. */
function readAndRest(log: string, { from, at, newId }: Actor, whole: boolean): LeaseReading {
  const reading = readLeases(log, { whole })
  const { leases, lines, end } = reading
  if (end === undefined || lines < Math.max(checkpointEveryLines, 2 * leases.current.size)) return reading
  const standing = [...leases.current.values()].filter(({ until }) => until > at - forgetMs)
  const record = {
    v: 1,
    id: newId(),
    type: 'base',
    at,
    from,
    offset: end.offset,
    fence: leases.fence,
    leases: standing,
  }
  // Flushed together with the record that follows.
  appendLine(log, JSON.stringify(record), { durable: false })
  return readLeases(log, { whole })
}

function actorOf({ from, now }: { from: string; now: () => number }): Actor {
  const at = now()
  return { from, at, newId: () => ulid(at) }
}

function foldLine(reading: LeaseReading, line: Line): void {
  const record = parseRecord(line)
  if (record === undefined || !isLeaseRecord(record) || !foldLease(reading.leases, record, line.offset)) return
  if (record.type !== 'base') reading.counted.push(record)
  else {
    reading.counted = []
    reading.lines = 0
  }
}

/** The lines from the last checkpoint before `upTo` on, oldest first. */
function linesSinceCheckpoint(log: string, upTo: Position | undefined): Line[] {
  const lines: Line[] = []
  for (const line of readLinesBackwards(log)) {
    if (lines.length === 0 && upTo !== undefined && !isAt(line, upTo)) continue
    lines.push(line)
    if (isCheckpoint(line)) break
  }
  return lines.reverse()
}

function isCheckpoint(line: Line): boolean {
  if (!line.text.includes('"type":"base"')) return false
  const record = parseRecord(line)
  return record !== undefined && isLeaseRecord(record) && record.type === 'base' && record.offset === line.offset
}

function isAt(line: Line, position: Position | undefined): boolean {
  return line.inode === position?.inode && line.offset === position.offset
}

/** A lease of a reading by its id, which is there. */
export function getLease({ leases }: LeaseReading, id: string): Lease {
  const lease = leases.current.get(id)
  if (lease === undefined) throw new Error(`bug: lease ${id} counted and is not there`)
  return lease
}
