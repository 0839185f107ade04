// Where the reading of a log stopped, so that the next one can go on there: only if all before it is still the same.
import { fstatSync } from '@switchyard/ground/machine'
import { readInto, type Segment } from '@switchyard/jsonl'

const beforeBytes = 4096
const headBytes = 1024

/**
 * A place between two lines of a log file. `before` and `head` are bytes before it and at the start of the file, `size`
 * and `changedMs` are those of the file when it was opened for the reading. Plain JSON.
 */
export type Mark = Opened & { readonly end: number; readonly before: string; readonly head: string }

/** A log file as it was when it was opened. */
export type Opened = {
  readonly inode: number
  readonly bornMs: number
  readonly size: number
  readonly changedMs: number
}

/** What a file is before its first line is read: a change during the reading has to show as one after it. */
export function openedAs({ fd, inode, size }: Segment): Opened {
  const { birthtimeMs, ctimeMs } = fstatSync(fd)
  return { inode, bornMs: birthtimeMs, size, changedMs: ctimeMs }
}

/** The mark of the place `end` in an open file. */
export function markAt(segment: Segment, opened: Opened, end: number): Mark {
  return { ...opened, end, before: bytesBefore(segment, end), head: headOf(segment, end) }
}

/**
 * Whether a mark still holds in an open file: the same file, no shorter, with the same bytes around the mark; one that
 * has not grown must not have been written to at all. Lines are never changed in place; whoever does that in the middle
 * of a log that then grows, byte for byte as long, is not noticed.
 */
export function isMarkOf(segment: Segment, mark: Mark): boolean {
  const { inode, bornMs, size, changedMs } = openedAs(segment)
  if (inode !== mark.inode || bornMs !== mark.bornMs || size < mark.size) return false
  if (size === mark.size && changedMs !== mark.changedMs) return false
  return bytesBefore(segment, mark.end) === mark.before && headOf(segment, mark.end) === mark.head
}

function bytesBefore(segment: Segment, end: number): string {
  return textAt(segment, Math.max(0, end - beforeBytes), end)
}

function headOf(segment: Segment, end: number): string {
  return textAt(segment, 0, Math.min(headBytes, end))
}

function textAt(segment: Segment, start: number, end: number): string {
  const bytes = Buffer.allocUnsafe(end - start)
  return bytes.toString('latin1', 0, readInto(segment, bytes, 0, start))
}
