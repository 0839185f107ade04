// Records that count only if the log before them is as they expect. No lock: the first in the log that expects
// rightly wins, and every reader comes to the same verdict, because it depends on the bytes before the record and
// on nothing else.

import { Failure } from '@switchyard/ground/failure'
import { closeSync } from '@switchyard/ground/machine'
import { type AppendOptions, appendLine, type Position } from './append.ts'
import { parseRecord } from './parse.ts'
import { isContent, type Line, linesIn } from './read.ts'
import { markSealed } from './seal.ts'
import { findSealed, openSegment, openSegments, sealedPath, sealMarker } from './segments.ts'

const sealsMax = 8

type Judgement = (lines: Iterable<Line>, position: Position) => boolean

/**
 * Appends a conditional record, then asks `judge` whether it counts, given the log read back from its start to the
 * record itself (which comes last; it is read only as far as it is asked for) and where it lies. Takes no lock. Failure
 * `conflict` when it does not count: the line stays in the log and is void for every reader. `judge` must decide from
 * the lines alone: no clock, no other file. The record needs an id of its own.
 */
export async function appendConditional(
  path: string,
  line: string | Uint8Array,
  judge: Judgement,
  options: AppendOptions = {},
): Promise<Position> {
  return appendConditionalNow(path, line, judge, options)
}

/** `appendConditional` for those who are inside an exclusive section. */
export function appendConditionalNow(
  path: string,
  line: string | Uint8Array,
  judge: Judgement,
  options: AppendOptions = {},
): Position {
  for (let attempt = 0; attempt < sealsMax; attempt++) {
    const position = appendLine(path, line, options)
    // Only now is what comes before the record final: a segment without its marker could still grow.
    markSealed(path)
    if (!isJudged(path, position)) continue
    if (judge(linesUpTo(path, position), position)) return position
    throw new Failure(
      'conflict',
      `the record appended to ${path} expected a state that another record had changed before it`,
      {
        hint: 'read the log again and decide anew',
      },
    )
  }
  throw new Failure('conflict', `${path} was sealed ${sealsMax} times while a record was appended to it`, {
    hint: 'try again',
  })
}

/**
 * The lines that take part in judging, oldest first: of each sealed segment those before its marker, and the active
 * file. Ends early at a sealed segment without a marker, because what follows it is not final yet (nothing there
 * has been acknowledged).
 */
export function* conditionalLines(path: string): Generator<Line> {
  for (const segment of openSegments(path)) {
    const marker = segment.ulid === undefined ? undefined : sealMarker(segment.ulid)
    let isFinal = marker === undefined
    for (const line of linesIn(segment, 0)) {
      isFinal ||= line.text === marker
      if (line.text === marker) break
      if (isContent(line.text)) yield line
    }
    if (!isFinal) return
  }
}

/**
 * Compare-and-set: a record without `expect` always counts, one with it counts if it names the head (null: there is
 * none yet).
 */
export function isExpected(record: Record<string, unknown>, head: string | null): boolean {
  return !('expect' in record) || record.expect === head
}

/**
 * Id of the last record that counts, or null. Records without a text id and repetitions of one that came before do
 * not.
 */
export function foldHead(records: Iterable<Record<string, unknown>>): string | null {
  let head: string | null = null
  for (const id of validIds(records)) head = id
  return head
}

/** Ids of the records that count, in order, by `isExpected`. */
export function* validIds(records: Iterable<Record<string, unknown>>): Generator<string> {
  const seen = new Set<string>()
  let head: string | null = null
  for (const record of records) {
    const { id } = record
    if (typeof id !== 'string' || seen.has(id)) continue
    seen.add(id)
    if (!isExpected(record, head)) continue
    head = id
    yield id
  }
}

/**
 * The judge of a compare-and-set for `appendConditional`: whether the record with this id, the last of the lines,
 * counts.
 */
export function countsAsHead(id: string): (lines: Iterable<Line>) => boolean {
  return (lines) => foldHead(recordsOf(lines)) === id
}

function* recordsOf(lines: Iterable<Line>): Generator<Record<string, unknown>> {
  for (const line of lines) {
    const record = parseRecord(line)
    if (record !== undefined) yield record
  }
}

function* linesUpTo(path: string, position: Position): Generator<Line> {
  for (const line of conditionalLines(path)) {
    yield line
    if (line.inode === position.inode && line.offset === position.offset) return
  }
}

/**
 * Whether a line lies where records are judged: not behind the marker of a segment that was sealed while the line
 * was written.
 */
function isJudged(path: string, position: Position): boolean {
  const ulid = findSealed(path, position.inode)
  const segment = ulid === undefined ? undefined : openSegment(sealedPath(path, ulid), ulid)
  if (ulid === undefined || segment === undefined) return true
  try {
    for (const line of linesIn(segment, 0)) {
      if (line.offset >= position.offset) return true
      if (line.text === sealMarker(ulid)) return false
    }
    return true
  } finally {
    closeSync(segment.fd)
  }
}
