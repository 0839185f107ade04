// Reading a log from its end, newest line first: only the blocks that are consumed are read.
import { closeSync } from '@switchyard/ground/machine'
import { blockBytes, isContent, type Line, lineAt, lineOf } from './read.ts'
import { inodeAt, openSegment, readInto, type Segment, sealedPath, sealedUlids } from './segments.ts'

const lineFeed = 10

/**
 * Lines of the log at `path`, newest first; otherwise like `readLines`. The folder is listed only when the active
 * file has been used up. Of each file at most the last `bytesMax` are read; a line that begins before them is left out.
 */
export function* readLinesBackwards(path: string, bytesMax = Number.POSITIVE_INFINITY): Generator<Line> {
  for (const segment of openSegmentsBackwards(path)) {
    const downTo = Math.max(0, segment.size - bytesMax)
    for (const line of linesBackwards(segment, segment.size, downTo)) if (isContent(line.text)) yield line
  }
}

/** Opens the files of a log one after the other, newest first, and closes each when the consumer moves on. */
export function* openSegmentsBackwards(path: string): Generator<Segment> {
  const active = openSegment(path)
  if (active !== undefined) yield* untilClosed(active)
  for (const ulid of sealedBefore(path, active?.inode).reverse()) {
    const sealed = openSegment(sealedPath(path, ulid), ulid)
    if (sealed !== undefined) yield* untilClosed(sealed)
  }
}

function* untilClosed(segment: Segment): Generator<Segment> {
  try {
    yield segment
  } finally {
    closeSync(segment.fd)
  }
}

/** Every complete line of one segment, newest first, blank ones and markers included; closes the segment. */
export function* readSegmentBackwards(segment: Segment): Generator<Line> {
  try {
    yield* linesBackwards(segment)
  } finally {
    closeSync(segment.fd)
  }
}

/** Just after the last LF of an open segment: where the next complete line will start. */
export function endOfLastLine(segment: Segment): number {
  for (const line of linesBackwards(segment)) return line.end
  return 0
}

/** The active file may have been sealed since it was opened: then only the segments before it are still to be read. */
function sealedBefore(path: string, inode: number | undefined): string[] {
  const ulids = sealedUlids(path)
  const at = inode === undefined ? -1 : ulids.findIndex((ulid) => inodeAt(sealedPath(path, ulid)) === inode)
  return at === -1 ? ulids : ulids.slice(0, at)
}

/**
 * Every complete line of an open segment that begins behind `downTo` and ends at or before `upTo`, newest first, blank
 * ones and markers included.
 */
export function* linesBackwards(segment: Segment, upTo = segment.size, downTo = 0): Generator<Line> {
  const space = Buffer.allocUnsafe(Math.min(blockBytes, upTo))
  // The line in assembly: its end once the LF is known, and its bytes, last piece first.
  let end: number | undefined
  let pieces: Buffer[] = []
  for (let position = upTo; position > downTo; ) {
    const block = readBlockBefore(segment, position, space)
    const start = position - block.length
    let right = block.length
    for (let at = block.lastIndexOf(lineFeed); at !== -1; at = at === 0 ? -1 : block.lastIndexOf(lineFeed, at - 1)) {
      const offset = start + at + 1
      if (end !== undefined && pieces.length === 0)
        yield lineOf(segment, block.toString('utf8', at + 1, right), offset, end)
      else if (end !== undefined)
        yield lineAt(segment, [...pieces, block.subarray(at + 1, right)].reverse(), offset, end)
      pieces = []
      end = offset
      right = at
    }
    // A copy, because the next block is read into the same space.
    if (end !== undefined) pieces.push(Buffer.from(block.subarray(0, right)))
    position = start
  }
  if (end !== undefined && downTo === 0) yield lineAt(segment, pieces.reverse(), 0, end)
}

function readBlockBefore(segment: Segment, position: number, space: Buffer): Buffer {
  const block = space.subarray(0, Math.min(space.length, position))
  let filled = 0
  while (filled < block.length) {
    const count = readInto(segment, block, filled, position - block.length + filled)
    // Cut short by another program: the rest reads as NUL bytes and so as a damaged line.
    if (count === 0) break
    filled += count
  }
  return block.fill(0, filled)
}
