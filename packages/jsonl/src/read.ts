// Reading a log forwards: complete lines only, in blocks, over all its segments.
import { isSealMarker, openSegments, readInto, type Segment } from './segments.ts'

/**
 * A complete line, without its LF. `offset` is its first byte, `end` the byte after its LF; `segment` is the path
 * it was read from.
 */
export type Line = { text: string; segment: string; inode: number; offset: number; end: number; terminated: true }

/** A place between two lines: everything before `offset` of the file with this inode has been read. */
export type LogPlace = { inode: number; offset: number }

/** A reading file by file: `enter` says where to begin in one that was opened, `leave` is called before it is closed. */
export type Visit = { enter: (segment: Segment) => number; leave?: (segment: Segment) => void }

/** Where to start reading a log, see `readLines`. */
export type From = LogPlace | Visit

export const blockBytes = 65_536
const lineFeed = 10
const blankPattern = /^[ \t\r]*$/

/**
 * Lines of the log at `path` from `from` on, oldest first, up to the last LF that was there when each file was
 * opened. Skips blank lines and seal markers, yields damaged lines (see `parseRecord`). Starts at the oldest
 * segment when `from` is missing or its file is gone, and at the start of its file when that has become shorter:
 * rather twice than never. Given a visit, starts where that says of each file. A log that does not exist is empty; Failure `failed` for
 * one that the disk does not let be read.
 */
export function* readLines(path: string, from?: From): Generator<Line> {
  if (from !== undefined && 'enter' in from) return yield* readEach(path, from)
  let skipping = from !== undefined && hasSegment(path, from.inode)
  for (const segment of openSegments(path)) {
    const isStart = segment.inode === from?.inode
    if (isStart) skipping = false
    if (skipping) continue
    const start = isStart && from.offset <= segment.size ? from.offset : 0
    for (const line of linesIn(segment, start)) if (isContent(line.text)) yield line
  }
}

function* readEach(path: string, { enter, leave }: Visit): Generator<Line> {
  for (const segment of openSegments(path)) {
    const offset = enter(segment)
    const start = offset <= segment.size ? offset : 0
    try {
      for (const line of linesIn(segment, start)) if (isContent(line.text)) yield line
    } finally {
      leave?.(segment)
    }
  }
}

/** Every complete line of one open segment from an offset on, blank ones and markers included. */
export function* linesIn(segment: Segment, start: number, readBytes = blockBytes): Generator<Line> {
  const space = Buffer.allocUnsafe(Math.max(0, Math.min(readBytes, segment.size - start)))
  let offset = start
  let pieces: Buffer[] = []
  for (let position = start; position < segment.size; ) {
    const block = space.subarray(0, segment.size - position)
    const filled = block.subarray(0, readInto(segment, block, 0, position))
    if (filled.length === 0) return
    let from = 0
    for (let at = filled.indexOf(lineFeed); at !== -1; at = filled.indexOf(lineFeed, from)) {
      const end = position + at + 1
      if (pieces.length === 0) yield lineOf(segment, filled.toString('utf8', from, at), offset, end)
      else yield lineAt(segment, [...pieces, filled.subarray(from, at)], offset, end)
      pieces = []
      offset = end
      from = at + 1
    }
    // A copy, because the next block is read into the same space.
    pieces.push(Buffer.from(filled.subarray(from)))
    position += filled.length
  }
}

/** A line from the pieces it was read in; bytes that are not UTF-8 become U+FFFD. */
export function lineAt(segment: Segment, pieces: readonly Buffer[], offset: number, end: number): Line {
  const [only] = pieces
  const bytes = pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces)
  return lineOf(segment, bytes.toString('utf8'), offset, end)
}

/** A line with this text. */
export function lineOf({ path, inode }: Segment, text: string, offset: number, end: number): Line {
  return { text, segment: path, inode, offset, end, terminated: true }
}

/** Whether a line is for readers: neither blank nor a seal marker. */
export function isContent(text: string): boolean {
  return !blankPattern.test(text) && !isSealMarker(text)
}

function hasSegment(path: string, inode: number): boolean {
  for (const segment of openSegments(path)) if (segment.inode === inode) return true
  return false
}
