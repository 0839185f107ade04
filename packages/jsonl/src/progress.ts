// How far a reader has come in each file of a log. One cursor is not enough for who must not miss a line: a writer that
// was held up may still append to a file that was sealed and read long before.
import { type Cursor, checkpointAt, olderCheckpoints, resumeOffset } from './cursor.ts'
import type { Place } from './read.ts'
import { endOfLastLine } from './read-backwards.ts'
import { openSegments, type Segment } from './segments.ts'

/** A cursor in each file that was read, in the order of the log. Plain JSON. */
export type Progress = readonly Cursor[]

/**
 * Where to read on in a file of the log, asked while it is open (see `readLines`): like `resolveCursor` for all of
 * them. A file that is not among them is new. Lines may come twice, none is left out.
 */
export function offsetsOf(progress: Progress): (segment: Segment) => number {
  const newest = progress.at(-1)
  return (segment) => {
    const own = progress.find(({ inode }) => inode === segment.inode)
    // What was read last may have been replaced since by a file with another inode, or with one that was free again.
    const cursors = [own, newest].filter((cursor) => cursor !== undefined)
    return Math.max(0, ...cursors.map((cursor) => resumeOffset(segment, [cursor, ...cursor.checkpoints])))
  }
}

/** The same for all files that are there now; who reads them later may meet others. */
export function resolveProgress(path: string, progress: Progress): Place[] {
  const offsetIn = offsetsOf(progress)
  return Array.from(openSegments(path), (segment) => ({ inode: segment.inode, offset: offsetIn(segment) }))
}

/** The places behind all that is in the log now. */
export function placesAtEnd(path: string): Place[] {
  return Array.from(openSegments(path), (segment) => ({ inode: segment.inode, offset: endOfLastLine(segment) }))
}

/** What to keep of these places, so that they are found again after sealing, dropping or replacement of files. */
export function progressAt(path: string, places: Iterable<Place>): Cursor[] {
  const offsets = new Map(Array.from(places, ({ inode, offset }) => [inode, offset]))
  const cursors: Cursor[] = []
  for (const segment of openSegments(path)) {
    const { inode } = segment
    const offset = offsets.get(inode)
    if (offset === undefined) continue
    // A sealed file is never replaced: it needs no older places.
    const checkpoints = segment.ulid === undefined ? olderCheckpoints(segment, offset) : []
    cursors.push({ inode, ...checkpointAt(segment, offset), checkpoints })
  }
  return cursors
}
