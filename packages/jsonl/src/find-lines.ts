// Finding lines by bytes they contain: nothing is decoded or parsed but the lines that have them.
import { closeSync } from '@switchyard/ground/machine'
import { openByInode } from './judged-lines.ts'
import { isContent, type Line, type LogPlace, lineAt, linesIn } from './read.ts'
import { linesBackwards, openSegmentsBackwards } from './read-backwards.ts'
import { readInto, type Segment } from './segments.ts'

const blockBytes = 1_048_576
/** How far around the place that was found is looked: clocks differ, and many write at once. */
const nearBytes = [65_536, 1_048_576]
const probeBytes = 4_096
/** Lines in a row that do not say where they belong. */
const probesMax = 50
const lineFeed = 10

/**
 * The complete lines of the log at `path` that contain one of these byte strings, none of which may be empty or have a
 * line feed; newest first. Reads as much of the log as is consumed.
 */
export function* findLinesBackwards(path: string, needles: readonly Buffer[]): Generator<Line> {
  for (const segment of openSegmentsBackwards(path)) yield* linesWith(segment, needles)
}

/**
 * Lines that hold one byte string, in a log that is roughly in order: first around where `isBefore` changes, then
 * further around it, then everywhere. A line may come more than once.
 */
export function* findLinesNear(path: string, needle: Buffer, isBefore: IsBefore): Generator<Line> {
  for (const around of nearBytes) {
    for (const segment of openSegmentsBackwards(path)) {
      const place = bisect(segment, isBefore)
      const range = { start: Math.max(0, place - around), end: Math.min(segment.size, place + around) }
      yield* linesWith(segment, [needle], range)
    }
  }
  yield* findLinesBackwards(path, [needle])
}

/** Lines that end in the `bytes` before a line of the log, newest first: a line that it repeats would be there. */
export function* findLinesBefore(
  path: string,
  needle: Buffer,
  { inode, offset }: LogPlace,
  bytes: number,
): Generator<Line> {
  const segment = openByInode(path, inode)
  if (segment === undefined) return
  try {
    yield* linesWith(segment, [needle], { start: Math.max(0, offset - bytes), end: offset })
  } finally {
    closeSync(segment.fd)
  }
}

/** Whether a line comes before what is looked for; undefined when it does not say. */
export type IsBefore = (line: Line) => boolean | undefined

/** The offset of a segment up to which lines are before what is looked for, give or take a few KB. */
function bisect(segment: Segment, isBefore: IsBefore): number {
  let low = 0
  let high = segment.size
  while (high - low > probeBytes) {
    const middle = Math.floor((low + high) / 2)
    if (verdictBehind(segment, middle, isBefore)) low = middle
    else high = middle
  }
  return high
}

function verdictBehind(segment: Segment, offset: number, isBefore: IsBefore): boolean {
  let tried = 0
  for (const line of linesIn(segment, offset, probeBytes)) {
    tried += 1
    // The first is cut off on the left.
    const verdict = tried === 1 ? undefined : isBefore(line)
    if (verdict !== undefined) return verdict
    if (tried > probesMax) break
  }
  return false
}

/** Lines of one open segment whose match begins between two offsets, newest first. */
function* linesWith(
  segment: Segment,
  needles: readonly Buffer[],
  { start = 0, end = segment.size }: { start?: number; end?: number } = {},
): Generator<Line> {
  const overlap = Math.max(...needles.map(({ length }) => length)) - 1
  const block = Buffer.allocUnsafe(Math.min(blockBytes, end - start) + overlap)
  for (let upTo = end; upTo > start; ) {
    const from = Math.max(start, upTo - blockBytes)
    const bytes = readUpTo(segment, block.subarray(0, upTo - from + overlap), from)
    let next = from
    for (let at = lastOf(bytes, needles, upTo - from - 1); at !== -1; at = lastOf(bytes, needles, next - from - 1)) {
      const line = lineIn(segment, bytes, from, at) ?? lineAround(segment, from + at)
      next = line?.offset ?? from + at
      if (line !== undefined && isContent(line.text)) yield line
      if (next <= from) break
    }
    upTo = Math.min(from, next)
  }
}

function readUpTo(segment: Segment, bytes: Buffer, offset: number): Buffer {
  let filled = 0
  while (filled < bytes.length) {
    const count = readInto(segment, bytes, filled, offset + filled)
    if (count === 0) break
    filled += count
  }
  return bytes.subarray(0, filled)
}

/** Where the last match begins that begins at `at` or before it; -1 when there is none. */
function lastOf(bytes: Buffer, needles: readonly Buffer[], at: number): number {
  return at < 0 ? -1 : Math.max(...needles.map((needle) => bytes.lastIndexOf(needle, at)))
}

/** The line around a place of a block, where the block has it whole. */
function lineIn(segment: Segment, bytes: Buffer, from: number, at: number): Line | undefined {
  const before = at === 0 ? -1 : bytes.lastIndexOf(lineFeed, at - 1)
  const end = bytes.indexOf(lineFeed, at)
  if (end === -1 || (before === -1 && from > 0)) return undefined
  return lineAt(segment, [bytes.subarray(before + 1, end)], from + before + 1, from + end + 1)
}

/** The line around a place of the file; undefined when it is not complete. */
function lineAround(segment: Segment, place: number): Line | undefined {
  const end = endOfLine(segment, place)
  if (end === undefined) return undefined
  for (const line of linesBackwards(segment, end)) return line
  return undefined
}

function endOfLine(segment: Segment, place: number): number | undefined {
  const block = Buffer.allocUnsafe(65_536)
  for (let from = place; from < segment.size; from += block.length) {
    const at = readUpTo(segment, block, from).indexOf(lineFeed)
    if (at !== -1) return from + at + 1
  }
  return undefined
}
