// How far a reader has come in each file of a log. One cursor is not enough for who must not miss a line: a writer that
// was held up may still append to a file that was sealed and read long before.
import { type Cursor, checkpointAt, olderCheckpoints, resumeOffset } from './cursor.ts'
import type { Place } from './read.ts'
import { endOfLastLine } from './read-backwards.ts'
import { openSegments } from './segments.ts'

/** A cursor in each file that was read, in the order of the log. Plain JSON. */
export type Progress = readonly Cursor[]

/**
 * Where to read on in each file (see `readLines`): like `resolveCursor` for all of them. A file that is not among them
 * is new. Lines may come twice, none is left out.
 */
export function resolveProgress(path: string, progress: Progress): Place[] {
  const places: Place[] = []
  const newest = progress.at(-1)
  let isNewestGone = newest !== undefined
  for (const segment of openSegments(path)) {
    if (segment.inode === newest?.inode) isNewestGone = false
    // What was read last may have been replaced by another file, and that one sealed since: its bytes tell.
    const replaced = isNewestGone ? newest : undefined
    const cursor = progress.find(({ inode }) => inode === segment.inode) ?? replaced
    if (cursor === undefined) continue
    places.push({ inode: segment.inode, offset: resumeOffset(segment, [cursor, ...cursor.checkpoints]) })
  }
  return places
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
