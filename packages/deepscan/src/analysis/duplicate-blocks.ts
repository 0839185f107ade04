// Blocks of lines that stand twice. Lines are compared without their spaces; short lines and imports say nothing.
import type { Finding } from '../finding/finding.ts'
import { type Source, startFindings } from './place.ts'

/** A block of fewer telling lines is written twice by chance. */
const linesMin = 12

/** The window with the smallest hash among so many in a row is kept: equal blocks keep equal windows. */
const windowsPerKept = 4

type Line = { text: string; start: number; end: number; number: number }
type Kept = { source: Source; lines: readonly Line[]; at: number }

/** One finding for each block that stands in an earlier place, too. Sources come in the order of their paths. */
export function findDuplicateBlocks(sources: readonly Source[]): readonly Finding[] {
  const known = new Map<number, Kept>()
  const make = startFindings()
  return sources.flatMap((source) => {
    const lines = tellingLines(source.text)
    const hashes = hashWindows(lines)
    const found: Finding[] = []
    for (let at = 0; at < hashes.length; at++) {
      const block = blockAt(known.get(hashes[at] ?? 0), lines, at)
      if (block === undefined) continue
      found.push(describe(make, source, lines, block))
      at = block.at + block.length - 1
    }
    for (const at of keptWindows(hashes)) {
      const hash = hashes[at] ?? 0
      if (!known.has(hash)) known.set(hash, { source, lines, at })
    }
    return found
  })
}

type Block = { at: number; length: number; first: Kept }

/** The block around a window that is known: only some windows are kept, so it may begin before this one. */
function blockAt(first: Kept | undefined, lines: readonly Line[], at: number): Block | undefined {
  if (first === undefined) return undefined
  let back = 0
  const isSame = (offset: number) => lines[at + offset]?.text === first.lines[first.at + offset]?.text
  while (back < windowsPerKept && at - back > 0 && first.at - back > 0 && isSame(-back - 1)) back += 1
  const start = { ...first, at: first.at - back }
  const length = equalLines(start, lines, at - back)
  return length < linesMin ? undefined : { at: at - back, length, first: start }
}

function describe(
  make: ReturnType<typeof startFindings>,
  source: Source,
  lines: readonly Line[],
  block: Block,
): Finding {
  const [start, end] = [lines[block.at], lines[block.at + block.length - 1]]
  const [other, otherEnd] = [block.first.lines[block.first.at], block.first.lines[block.first.at + block.length - 1]]
  if (!start || !end || !other || !otherEnd) throw new Error('bug: a block outside of its lines')
  return make(source, start.start, start.end, {
    ...{
      rule: 'arch/duplicate-block',
      title: `${block.length} lines stand twice`,
      severity: 'low',
      confidence: 'medium',
    },
    message: `Lines ${start.number} to ${end.number} are those of ${block.first.source.path} from ${other.number} to ${otherEnd.number}. What is mended in one stays wrong in the other.`,
    occurrences: [
      { path: source.path, line: start.number, column: 1 },
      { path: block.first.source.path, line: other.number, column: 1 },
    ],
  })
}

function tellingLines(text: string): readonly Line[] {
  const lines: Line[] = []
  let [start, number] = [0, 0]
  for (const raw of text.split('\n')) {
    number += 1
    const line = raw.trim()
    const from = start + raw.indexOf(line)
    if (line.length > 3 && !/^(?:\/\/|#|\*|\/\*|import\b|from\b|export \*|["'\d[\]{},. -]+$)/.test(line)) {
      lines.push({ text: line.replace(/\s+/g, ' '), start: from, end: from + line.length, number })
    }
    start += raw.length + 1
  }
  return lines
}

function hashWindows(lines: readonly Line[]): readonly number[] {
  const hashes = lines.map(({ text }) => hashText(text))
  return lines.slice(linesMin - 1).map((_, at) => {
    return hashes.slice(at, at + linesMin).reduce((whole, hash) => (Math.imul(whole, 31) + hash) | 0, 7)
  })
}

function hashText(text: string): number {
  let hash = 0
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 33) + text.charCodeAt(i)) | 0
  return hash
}

function keptWindows(hashes: readonly number[]): ReadonlySet<number> {
  const kept = new Set<number>()
  for (let at = 0; at < hashes.length; at += 1) {
    const group = hashes.slice(at, at + windowsPerKept)
    kept.add(at + group.indexOf(Math.min(...group)))
  }
  return kept
}

/** How many lines are the same from here on; a block never runs into itself. */
function equalLines({ lines: others, at: from }: Kept, lines: readonly Line[], at: number): number {
  let length = 0
  const limit = others === lines ? at - from : lines.length
  while (length < limit && lines[at + length] && lines[at + length]?.text === others[from + length]?.text) length += 1
  return length
}
