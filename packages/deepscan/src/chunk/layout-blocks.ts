import { type Block, cutAt } from './block.ts'

/** How deep a text is cut by its indentation; then by lines. */
const levelsMax = 50

/** A line that closes or continues what another opened belongs to the one before it. */
const closing = /[ \t]*(?:[}\])]|(?:end|else|elif|elsif|except|catch|rescue|ensure|finally|then|do|fi|done|esac)\b)/y

type Line = { start: number; indent: number; isBlank: boolean; isClosing: boolean }

/**
 * A stretch of text that is cut by its layout: between paragraphs, then between the lines with the least indentation,
 * deeper and deeper. A line alone is cut into slices of `sliceUnits`.
 */
export function layoutBlock(text: string, start: number, end: number, sliceUnits: number, level = 0): Block {
  const parts = () => {
    const lines = linesIn(text, start, end)
    if (lines.length < 2) return slices(text, start, end, sliceUnits)
    const cuts = level < levelsMax ? cutsByIndent(lines) : lines
    return cutAt(start, end, startsOf(cuts)).map(([from, to]) => layoutBlock(text, from, to, sliceUnits, level + 1))
  }
  return { start, end, by: 'text', parts }
}

/** A stretch that is cut between lines only, and into slices where a line alone is too long. */
export function linesBlock(text: string, start: number, end: number, sliceUnits: number): Block {
  const parts = () => {
    const lines = linesIn(text, start, end)
    if (lines.length < 2) return slices(text, start, end, sliceUnits)
    return cutAt(start, end, startsOf(lines)).map(([from, to]) => linesBlock(text, from, to, sliceUnits))
  }
  return { start, end, by: 'text', parts }
}

function startsOf(lines: readonly Line[]): readonly number[] {
  return lines.map(({ start }) => start)
}

function cutsByIndent(lines: readonly Line[]): readonly Line[] {
  const opening = lines.slice(1).filter((line) => !line.isBlank && !line.isClosing)
  if (opening.length === 0) return lines
  const least = opening.reduce((indent, line) => Math.min(indent, line.indent), Number.POSITIVE_INFINITY)
  const outer = opening.filter((line) => line.indent === least)
  const before = new Map(lines.slice(1).map((line, at) => [line, lines[at]]))
  const paragraphs = outer.filter((line) => before.get(line)?.isBlank)
  return paragraphs.length > 0 ? paragraphs : outer
}

function linesIn(text: string, start: number, end: number): readonly Line[] {
  const lines: Line[] = []
  for (let at = start; at < end; ) {
    const found = text.indexOf('\n', at)
    const next = found < 0 || found >= end ? end : found + 1
    lines.push(describeLine(text, at, next))
    at = next
  }
  return lines
}

function describeLine(text: string, start: number, end: number): Line {
  let at = start
  while (at < end && ' \t\r\n'.includes(text[at] ?? '')) at++
  closing.lastIndex = start
  return { start, indent: at - start, isBlank: at === end, isClosing: closing.test(text) }
}

/** Slices of a long line, cut after a blank or a comma where one is near, and never inside a character. */
function slices(text: string, start: number, end: number, sliceUnits: number): readonly Block[] {
  if (end - start <= sliceUnits) return []
  const cuts: number[] = []
  for (let at = start; end - at > sliceUnits; at = cuts.at(-1) ?? end) {
    const slice = text.slice(at, at + sliceUnits)
    const nice = Math.max(...[...' \t,;'].map((separator) => slice.lastIndexOf(separator))) + 1
    const length = nice > sliceUnits / 2 ? nice : sliceUnits
    cuts.push(at + (isHighSurrogate(text, at + length - 1) ? length - 1 : length))
  }
  return cutAt(start, end, cuts).map(([from, to]) => ({ start: from, end: to, by: 'hard', parts: () => [] }))
}

function isHighSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return unit >= 0xd800 && unit <= 0xdbff && at + 1 < text.length
}
