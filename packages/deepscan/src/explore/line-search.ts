import { isUtf8 } from 'node:buffer'
import type { LinePattern } from '../text/line-pattern.ts'
import type { LineSpan } from '../text/line-span.ts'
import type { Block } from './blocks.ts'

/** A line that matches, by its number from 1, and as many lines around it as were asked for. */
export type LineMatch = {
  line: number
  text: string
  spans: readonly LineSpan[]
  before: readonly string[]
  after: string[]
}

const lineEnd = 0x0a

/**
 * The lines that match, in their order. `blocks` are whole lines each; a line comes when the lines behind it that were
 * asked for are known.
 */
export function* searchLines(blocks: Iterable<Block>, pattern: LinePattern, context: number): Generator<LineMatch> {
  let line = 1
  let recent: readonly string[] = []
  let open: LineMatch[] = []
  for (const { bytes: block, isLast } of blocks) {
    for (const match of open) match.after.push(...linesAfter(block, 0, context - match.after.length))
    yield* open.filter((match) => match.after.length >= context)
    open = open.filter((match) => match.after.length < context)
    let counted = 0
    for (const start of candidates(block, pattern)) {
      const end = endOfLine(block, start)
      const text = textOf(block, start, end)
      if (!pattern.matches(text)) continue
      line += countLineEnds(block, counted, start)
      counted = start
      const before = linesBefore(block, start, context, recent)
      const match = { line, text, spans: pattern.spans(text), before, after: linesAfter(block, end + 1, context) }
      if (match.after.length < context) open.push(match)
      else yield match
    }
    if (isLast) break
    if (context > 0) recent = linesBefore(block, block.length, context, recent)
    line += countLineEnds(block, counted, block.length)
  }
  yield* open
}

/** Where the lines begin that may match: all, or those with one of the needles in them. */
function* candidates(block: Buffer, { needles }: LinePattern): Generator<number> {
  if (needles === undefined) {
    for (let start = 0; start < block.length; start = endOfLine(block, start) + 1) yield start
    return
  }
  const next = needles.map(() => -1)
  for (let from = 0; from < block.length; ) {
    let nearest = Number.POSITIVE_INFINITY
    for (const [at, needle] of needles.entries()) {
      if ((next[at] ?? 0) < from) next[at] = find(block, needle, from)
      nearest = Math.min(nearest, next[at] ?? nearest)
    }
    if (nearest === Number.POSITIVE_INFINITY) return
    yield nearest === 0 ? 0 : block.lastIndexOf(lineEnd, nearest - 1) + 1
    from = endOfLine(block, nearest) + 1
  }
}

function find(block: Buffer, needle: Buffer, from: number): number {
  const at = block.indexOf(needle, from)
  return at < 0 ? Number.POSITIVE_INFINITY : at
}

function endOfLine(block: Buffer, start: number): number {
  const end = block.indexOf(lineEnd, start)
  return end < 0 ? block.length : end
}

/** A line's text; one character a byte where it is no UTF-8. */
function textOf(block: Buffer, start: number, end: number): string {
  const isText = isUtf8Whole(block) || isUtf8(block.subarray(start, end))
  return block.toString(isText ? 'utf8' : 'latin1', start, end)
}

/** Asked once of a block, and not again for each of its lines. */
const wholes = new WeakMap<Buffer, boolean>()

function isUtf8Whole(block: Buffer): boolean {
  const known = wholes.get(block)
  if (known !== undefined) return known
  const isWhole = isUtf8(block)
  wholes.set(block, isWhole)
  return isWhole
}

function countLineEnds(block: Buffer, from: number, to: number): number {
  let count = 0
  for (let at = from; at < to; at += 1) if (block[at] === lineEnd) count += 1
  return count
}

function linesBefore(block: Buffer, start: number, wanted: number, recent: readonly string[]): readonly string[] {
  const lines: string[] = []
  for (let end = start - 1; end >= 0 && lines.length < wanted; ) {
    const begin = end === 0 ? 0 : block.lastIndexOf(lineEnd, end - 1) + 1
    lines.unshift(textOf(block, begin, end))
    end = begin - 1
  }
  const missing = wanted - lines.length
  return missing > 0 ? [...recent.slice(-missing), ...lines] : lines
}

function linesAfter(block: Buffer, from: number, wanted: number): string[] {
  const lines: string[] = []
  for (let start = from; start < block.length && lines.length < wanted; ) {
    const end = endOfLine(block, start)
    lines.push(textOf(block, start, end))
    start = end + 1
  }
  return lines
}
