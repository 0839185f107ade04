// What is new in a log since the last look: remembers how far each of its files has been read.
import { type Checkpoint, checkpointAt, olderCheckpoints, resumeOffset } from './cursor.ts'
import { parseRecord } from './parse.ts'
import { isContent, type Line, type LogPlace, linesIn } from './read.ts'
import { endOfLastLine } from './read-backwards.ts'
import { openSegments, type Segment } from './segments.ts'

/** Where to begin in a log: its oldest line, the end of what is there now, or a place. */
export type Start = 'start' | 'end' | LogPlace

/** How far a file has been read, and older places in it, newest first. */
type Progress = { inode: number; offset: number; changedMs: number; checkpoints: Checkpoint[] }

const idsMax = 8_192
const checkpointsMax = 16

/** Returns a function whose every call yields the lines that came since the one before. */
export function logReader(path: string, start: Start): () => Generator<Line> {
  let files = startingPoints(path, start)
  let last = [...files.values()].at(-1)
  const recentIds = new Set<string>()
  return function* readNew() {
    const present = new Map<number, Progress>()
    for (const segment of openSegments(path)) {
      const isLastGone = last !== undefined && !present.has(last.inode)
      const progress = files.get(segment.inode) ?? beginWith(segment, isLastGone ? last?.checkpoints : undefined)
      present.set(segment.inode, progress)
      files.set(segment.inode, progress)
      // A new file may have the number and the length of the one it replaced.
      const isAsBefore = segment.size === progress.offset && segment.changedMs === progress.changedMs
      if (!isAsBefore) yield* readFrom(segment, progress, recentIds)
      last = progress
    }
    files = present
  }
}

function* readFrom(segment: Segment, progress: Progress, recentIds: Set<string>): Generator<Line> {
  // Cut off or written anew, the file no longer has what was read before this place.
  progress.offset = resumeOffset(segment, progress.checkpoints)
  progress.changedMs = segment.changedMs
  const end = endOfLastLine(segment)
  if (end <= progress.offset) return
  // Before the lines are handed out: who takes them may take long, and the file may be another by then.
  remember(progress.checkpoints, checkpointAt(segment, end))
  for (const line of linesIn(segment, progress.offset)) if (isContent(line.text) && isNew(line, recentIds)) yield line
  progress.offset = end
}

function startingPoints(path: string, start: Start): Map<number, Progress> {
  const files = new Map<number, Progress>()
  if (start === 'start') return files
  for (const segment of openSegments(path)) {
    const isStart = start !== 'end' && segment.inode === start.inode
    const offset = isStart ? Math.min(start.offset, segment.size) : endOfLastLine(segment)
    files.set(segment.inode, {
      inode: segment.inode,
      offset,
      changedMs: segment.changedMs,
      checkpoints: [checkpointAt(segment, offset), ...olderCheckpoints(segment, offset)],
    })
    if (isStart) return files
  }
  return start === 'end' ? files : new Map()
}

/**
 * A file that was not there before: one more, read from its start, or the replacement of one that is gone, which
 * may begin like it.
 */
function beginWith(segment: Segment, checkpoints: readonly Checkpoint[] = []): Progress {
  const offset = resumeOffset(segment, checkpoints)
  const kept = checkpoints.filter((checkpoint) => checkpoint.offset <= offset)
  // No time yet: what is there has to be read.
  return { inode: segment.inode, offset, changedMs: 0, checkpoints: kept }
}

/**
 * Notes the place reached. Of many, those go first that lie close together for their age: near places stay dense,
 * far ones sparse.
 */
function remember(checkpoints: Checkpoint[], reached: Checkpoint): void {
  checkpoints.unshift(reached)
  while (checkpoints.length > checkpointsMax) checkpoints.splice(mostCrowded(checkpoints), 1)
}

function mostCrowded(checkpoints: readonly Checkpoint[]): number {
  const offsetAt = (index: number) => checkpoints[index]?.offset ?? 0
  const roomAt = (index: number) => (offsetAt(index - 1) - offsetAt(index + 1)) / (offsetAt(0) - offsetAt(index) + 1)
  const inner = checkpoints.map((_, index) => index).slice(1, -1)
  return inner.reduce((crowded, index) => (roomAt(index) < roomAt(crowded) ? index : crowded), 1)
}

function isNew(line: Line, recentIds: Set<string>): boolean {
  const record = parseRecord(line)
  const id = record?.id
  if (typeof id !== 'string') return true
  if (recentIds.has(id)) return false
  // Behind a seal marker a conditional record is void, and its repetition may count: who judges tells them apart.
  if (record && 'expect' in record) return true
  recentIds.add(id)
  if (recentIds.size > idsMax) for (const oldest of recentIds) return recentIds.delete(oldest)
  return true
}
