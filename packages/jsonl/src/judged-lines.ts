// Which lines of a log take part in judging conditional records: of a sealed segment those before its marker, and
// nothing behind a segment that has none yet.
import { closeSync } from '@switchyard/ground/machine'
import { isContent, type Line } from './read.ts'
import { linesBackwards } from './read-backwards.ts'
import { findSealed, openSegment, openSegments, readInto, type Segment, sealedPath, sealMarker } from './segments.ts'

/** The marker is the last line, but for what late writers add. */
const tailBytes = 1_024
/** Two processes may have written a marker, and late lines lie between the two: no more than this. */
const betweenMarkersBytes = 1_048_576

/** The file of the log that has this inode, under whatever name; the caller closes it. */
export function openByInode(path: string, inode: number): Segment | undefined {
  const active = openSegment(path)
  if (active?.inode === inode) return active
  if (active !== undefined) closeSync(active.fd)
  const ulid = findSealed(path, inode)
  return ulid === undefined ? undefined : openSegment(sealedPath(path, ulid), ulid)
}

/**
 * Inodes of the segments in which every verdict is final, oldest first: up to and with the first sealed one that has
 * no marker.
 */
export function settledInodes(path: string): number[] {
  const settled: number[] = []
  for (const segment of openSegments(path)) {
    settled.push(segment.inode)
    if (segment.ulid !== undefined && !isMarked(segment, segment.ulid)) break
  }
  return settled
}

/** Where the judged part of a segment ends: its first marker, or its size. */
export function judgedEnd(segment: Segment): number {
  if (segment.ulid === undefined) return segment.size
  const marker = sealMarker(segment.ulid)
  let end: number | undefined
  for (const line of linesBackwards(segment)) {
    if (end !== undefined && line.end < end - betweenMarkersBytes) break
    if (line.text === marker) end = line.offset
  }
  return end ?? segment.size
}

/**
 * The judged lines of these segments of a log, newest first; those that end at or before `upTo`, if that is given.
 */
export function* judgedLinesBackwards(
  path: string,
  inodes: readonly number[],
  upTo?: { inode: number; end: number },
): Generator<Line> {
  const count = upTo === undefined ? inodes.length : inodes.indexOf(upTo.inode) + 1
  for (const inode of inodes.slice(0, count).reverse()) {
    const segment = openByInode(path, inode)
    if (segment === undefined) continue
    try {
      const end = inode === upTo?.inode ? upTo.end : judgedEnd(segment)
      for (const line of linesBackwards(segment, end)) if (isContent(line.text)) yield line
    } finally {
      closeSync(segment.fd)
    }
  }
}

function isMarked(segment: Segment, ulid: string): boolean {
  const marker = sealMarker(ulid)
  const tail = Buffer.alloc(Math.min(tailBytes, segment.size))
  readInto(segment, tail, 0, segment.size - tail.length)
  if (tail.indexOf(`\n${marker}\n`) !== -1) return true
  for (const line of linesBackwards(segment)) if (line.text === marker) return true
  return false
}
