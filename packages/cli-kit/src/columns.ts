// Columns of text at a terminal, where some characters take two cells and some none.
import { cellsOf } from './cells.ts'

/** A text with spaces behind it, up to so many cells. */
export function padColumn(text: string, width: number): string {
  return text + gapBehind(text, width)
}

/** The spaces that fill a text up to so many cells, for where the text itself is painted. */
export function gapBehind(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - cellsOf(text)))
}

/** Cells of the widest text: how wide its column is. */
export function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, cellsOf(text)), 0)
}
