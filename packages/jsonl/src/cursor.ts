// A place in a log that survives sealing and replacement: it carries what stood before it, so that it can tell when
// the file is another.
import { closeSync } from '@switchyard/ground/machine'
import type { LogPlace } from './read.ts'
import { openSegment, openSegments, readInto, type Segment } from './segments.ts'

/** A place with the hash of the up to 4 KB before it. */
export type Checkpoint = { offset: number; hash: string }

/**
 * Where a reader stopped: a place, what stood before it, and older places to fall back to, newest first. Plain
 * JSON.
 */
export type Cursor = Checkpoint & { inode: number; checkpoints: Checkpoint[] }

// Wide enough to take in the id of a record whose end looks like that of others.
const hashedBytes = 4_096
const checkpointsMax = 10
const firstStepBytes = 1_024
const searchBytes = 65_536
const lineFeed = 10

/** The cursor just after a line (or a position). Reads about ten small pieces of the file. */
export function cursorAt(path: string, after: { inode: number; end: number }): Cursor {
  for (const segment of openSegments(path)) {
    if (segment.inode !== after.inode) continue
    return {
      inode: after.inode,
      ...checkpointAt(segment, after.end),
      checkpoints: olderCheckpoints(segment, after.end),
    }
  }
  return { inode: after.inode, offset: after.end, hash: '', checkpoints: [] }
}

/**
 * Where to read on (see `readLines`): at the cursor if its bytes are still there, also in a file that has replaced
 * it; else at the newest older place that still fits, else at the start of that file or of the log. Lines may come
 * twice, none is left out.
 */
export function resolveCursor(path: string, cursor: Cursor): LogPlace {
  let oldest: LogPlace | undefined
  for (const segment of openSegments(path)) {
    oldest ??= { inode: segment.inode, offset: 0 }
    if (segment.inode !== cursor.inode) continue
    const offset = resumeOffset(segment, [cursor, ...cursor.checkpoints])
    // With none of its bytes it is another file, which got the inode of one that was dropped.
    if (offset > 0 || cursor.offset === 0) return { inode: segment.inode, offset }
  }
  return findReplacement(path, cursor) ?? oldest ?? { inode: cursor.inode, offset: 0 }
}

/** The newest of these checkpoints (given newest first) that fits this file, or 0. */
export function resumeOffset(segment: Segment, checkpoints: readonly Checkpoint[]): number {
  return checkpoints.find(({ offset, hash }) => hash !== '' && checkpointAt(segment, offset).hash === hash)?.offset ?? 0
}

/** The checkpoint of an offset in this file; its hash is empty when the file is shorter. */
export function checkpointAt(segment: Segment, offset: number): Checkpoint {
  if (offset > segment.size) return { offset, hash: '' }
  const start = Math.max(0, offset - hashedBytes)
  return { offset, hash: hashOf(readAt(segment, start, offset - start)) }
}

/** The file was replaced by one with another inode, as version control does: only the active file can be. */
function findReplacement(path: string, cursor: Cursor): LogPlace | undefined {
  const active = openSegment(path)
  if (active === undefined) return undefined
  try {
    const offset = resumeOffset(active, [cursor, ...cursor.checkpoints])
    return offset === 0 ? undefined : { inode: active.inode, offset }
  } finally {
    closeSync(active.fd)
  }
}

/** Line starts at about 1, 2, 4 ... KB before an offset. */
export function olderCheckpoints(segment: Segment, offset: number): Checkpoint[] {
  const found: Checkpoint[] = []
  for (let step = firstStepBytes; step < offset && found.length < checkpointsMax; step *= 2) {
    const lineStart = lineStartAfter(segment, offset - step)
    if (lineStart !== undefined && lineStart < (found.at(-1)?.offset ?? offset))
      found.push(checkpointAt(segment, lineStart))
  }
  return found
}

function lineStartAfter(segment: Segment, offset: number): number | undefined {
  const at = readAt(segment, offset, searchBytes).indexOf(lineFeed)
  return at === -1 ? undefined : offset + at + 1
}

function readAt(segment: Segment, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  return bytes.subarray(0, readInto(segment, bytes, 0, offset))
}

/** FNV-1a, twice with different starts: it tells bytes apart, it does not protect them, and it loads nothing. */
export function hashOf(bytes: Uint8Array): string {
  return [0x811c9dc5, 0x050c5d1f].map((basis) => fnv1a(bytes, basis)).join('')
}

function fnv1a(bytes: Uint8Array, basis: number): string {
  let hash = basis
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}
