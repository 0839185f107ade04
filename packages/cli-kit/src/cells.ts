// How many cells text takes on a terminal, and cutting it to fit. Terminals differ on what is newer than they are, so
// nothing here may be needed for more than looks: the screen neither wraps nor scrolls when a width was misjudged.
import { harmlessText } from './harmless-text.ts'

let segmenter: Intl.Segmenter | undefined

/** Blocks of East Asian wide and fullwidth characters; emoji are told by their own property. */
const wideBlocks = [
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3]/u,
  /[\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1b000}-\u{1b2ff}]/u,
  /[\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|\p{Regional_Indicator}/u,
]
const wide = new RegExp(wideBlocks.map(({ source }) => source).join('|'), 'u')
/**
 * Characters of one cell that join with none beside them: most text has no others, and need not be cut into graphemes,
 * which is slow.
 */
const narrow =
  /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e\u2190-\u21ff\u2500-\u25fc\u2713\u2717]*$/
const empty = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]+$/u

/** Text as it may stand in a line: nothing a terminal acts on, and one space for what would end the line. */
export function inCells(text: string): string {
  return narrow.test(text) ? text : harmlessText(text).replace(/[\n\t\u2028\u2029]+/g, ' ')
}

/** The number of cells that text takes which `inCells` let through. */
export function cellsOf(text: string): number {
  if (narrow.test(text)) return text.length
  let cells = 0
  for (const { segment } of graphemesOf(text)) cells += cellsOfGrapheme(segment)
  return cells
}

/** The beginning of a text that takes at most `cells`; it ends in an ellipsis when something was left out. */
export function clip(text: string, cells: number): string {
  if (cellsOf(text) <= cells) return text
  return cells < 1 ? '' : `${headOf(text, cells - 1)}…`
}

/** Text broken into lines of at most `cells`, between words where there are any; its own line ends stay. */
export function wrap(text: string, cells: number): string[] {
  const width = Math.max(1, cells)
  return harmlessText(text)
    .split('\n')
    .flatMap((line) => wrapLine(line.replaceAll('\t', '  '), width))
}

function wrapLine(line: string, width: number): string[] {
  const lines: string[] = []
  let rest = line
  while (cellsOf(rest) > width) {
    const head = headOf(rest, width) || firstOf(rest)
    const space = rest[head.length] === ' ' ? head.length : head.lastIndexOf(' ')
    const end = head.slice(0, Math.max(0, space)).trim() === '' ? head.length : space
    lines.push(rest.slice(0, end).trimEnd())
    rest = rest.slice(end).trimStart()
  }
  return rest === '' && lines.length > 0 ? lines : [...lines, rest]
}

/** The graphemes at the beginning that together take at most `cells`. */
function headOf(text: string, cells: number): string {
  if (narrow.test(text)) return text.slice(0, Math.max(0, cells))
  let used = 0
  for (const { segment, index } of graphemesOf(text)) {
    used += cellsOfGrapheme(segment)
    if (used > cells) return text.slice(0, index)
  }
  return text
}

/** One grapheme, which may be wider than a line: progress comes before looks. */
function firstOf(text: string): string {
  for (const { segment } of graphemesOf(text)) return segment
  return text
}

function cellsOfGrapheme(grapheme: string): number {
  if (wide.test(grapheme)) return 2
  return empty.test(grapheme) ? 0 : 1
}

/** Made for the first text that needs it: to load the tables of Unicode costs as much as an empty start. */
function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('und', { granularity: 'grapheme' })
  return segmenter.segment(text)
}
