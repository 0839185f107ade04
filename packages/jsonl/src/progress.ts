// How far a reader has come in each file of a log. One cursor is not enough for who must not miss a line: a writer that
// was held up may still append to a file that was sealed and read long before.
import { type Cursor, checkpointAt, olderCheckpoints, resumeOffset } from './cursor.ts'
import type { Line, Visit } from './read.ts'
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

/** A reading that goes on where an earlier one stopped; `readLines` takes it as its `from`. */
export type Reading = Required<Visit> & {
  /** Everything in the file that is being read is behind the reader up to this offset (bytes). */
  pass(offset: number): void
  /** What to keep of it once it has ended, to go on from there. */
  progress(): Cursor[]
}

/**
 * Reads on from what an earlier reading left. A place is described while its file is still open: a moment later
 * another file may have replaced it, in which the place is found by that description alone.
 */
export function readOn(before: Progress): Reading {
  const enter = offsetsOf(before)
  const left = new Map<number, Cursor>()
  let offset = 0
  return {
    enter(segment) {
      offset = enter(segment)
      return offset
    },
    pass(reached) {
      offset = reached
    },
    leave(segment) {
      left.set(segment.inode, cursorIn(segment, offset))
    },
    progress() {
      const last = [...left.keys()].at(-1)
      if (last === undefined) return [...before]
      const stop = before.findIndex(({ inode }) => inode === last)
      // A reading that did not come to the end of the log has not looked into the files behind.
      return [...left.values(), ...(stop === -1 ? [] : before.slice(stop + 1))]
    },
  }
}

/** As if all that is in the log now had been read. */
export function progressAtEnd(path: string): Cursor[] {
  return Array.from(openSegments(path), (segment) => cursorIn(segment, endOfLastLine(segment)))
}

/** As if the log had been read up to this line, it included; undefined when its file is no longer there. */
export function progressBehind(path: string, line: Line): Cursor[] | undefined {
  const files: Cursor[] = []
  for (const segment of openSegments(path)) {
    const isHere = segment.inode === line.inode
    files.push(cursorIn(segment, isHere ? line.end : endOfLastLine(segment)))
    if (isHere) return files
  }
  return undefined
}

function cursorIn(segment: Segment, offset: number): Cursor {
  // A sealed file is never replaced: it needs no older places.
  const checkpoints = segment.ulid === undefined ? olderCheckpoints(segment, offset) : []
  return { inode: segment.inode, ...checkpointAt(segment, offset), checkpoints }
}
