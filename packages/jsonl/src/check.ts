// Whether a log is sound: what a killed writer leaves is counted, anything else that cannot be read is named with
// file and line.
import { hashOf } from './cursor.ts'
import { isCutLine } from './cut-line.ts'
import { isTooDeep, parseRecord } from './parse.ts'
import { isContent, type Line, linesIn } from './read.ts'
import { openSegments, type Segment } from './segments.ts'

/** A line that no kill explains. `line` counts from 1 within `file`, `offset` is in bytes. */
export type CorruptLine = { file: string; line: number; offset: number; reason: string }

/**
 * `lines` are those with content, an unended last one included: `records` whole ones, `duplicates` repetitions of a
 * record (same id, same bytes), `torn` ones that are only cut off or were appended to such a one, and the corrupt.
 */
export type LogCheck = { lines: number; records: number; torn: number; duplicates: number; corrupt: CorruptLine[] }

const conflictPattern = /^(?:<{7}|={7}|>{7}|\|{7})(?: |\r?$)/

/** Whether a line is one that version control leaves where it could not merge. */
export function isConflictMarker(text: string): boolean {
  return conflictPattern.test(text)
}

/**
 * Reads the whole log at `path`. Never throws on what it finds in it; a log that does not exist is sound and empty,
 * and one that may not be read is Failure `failed`.
 */
export function checkLog(path: string): LogCheck {
  const check: LogCheck = { lines: 0, records: 0, torn: 0, duplicates: 0, corrupt: [] }
  const known = new Map<string, Known>()
  for (const segment of openSegments(path)) {
    let number = 0
    let end = 0
    for (const line of linesIn(segment, 0)) {
      number += 1
      end = line.end
      if (isContent(line.text)) countLine(check, known, line, number)
    }
    if (hasTornTail(segment, end)) {
      check.lines += 1
      check.torn += 1
    }
  }
  return check
}

/** A record that was met: a hash of its line, and where that stands. */
type Known = { readonly hash: string; readonly file: string; readonly line: number }

/** An LF is not part of JSON, so a tail without one is always somebody's unfinished write. */
function hasTornTail(segment: Segment, end: number): boolean {
  return segment.size > end
}

function countLine(check: LogCheck, records: Map<string, Known>, line: Line, number: number): void {
  check.lines += 1
  const record = parseRecord(line)
  if (record === undefined) {
    const reason = faultOf(line.text)
    if (reason === undefined) check.torn += 1
    else check.corrupt.push({ file: line.segment, line: number, offset: line.offset, reason })
    return
  }
  const hash = hashOf(Buffer.from(line.text))
  const known = typeof record.id === 'string' ? records.get(record.id) : undefined
  if (known === undefined) {
    check.records += 1
    if (typeof record.id === 'string') records.set(record.id, { hash, file: line.segment, line: number })
  } else if (known.hash === hash) {
    check.duplicates += 1
  } else {
    check.corrupt.push({
      file: line.segment,
      line: number,
      offset: line.offset,
      reason: `id ${record.id} was used before with other content, at ${known.file}:${known.line}`,
    })
  }
}

/** Why a line that holds no record is corrupt; undefined when it is only torn. */
export function faultOf(text: string): string | undefined {
  if (isConflictMarker(text)) return 'a conflict marker of version control'
  if (isJson(text) && isTooDeep(text)) return 'nested more than 1000 deep'
  if (isCutLine(text)) return undefined
  return isJson(text) ? 'a JSON object was expected, got another JSON value' : 'not JSON'
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}
