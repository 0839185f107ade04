// Lines made of styled pieces: what a renderer returns, so that it needs no terminal, and a test no escape sequences.
import { cellsOf, clip, inCells } from '../cells.ts'

const codes = {
  bold: '1',
  dim: '2',
  inverse: '7',
  red: '31',
  green: '32',
  yellow: '33',
  blue: '34',
  magenta: '35',
  cyan: '36',
} as const
const weights: readonly string[] = ['bold', 'dim', 'inverse']

/** How a piece looks; colours vanish where none are wanted, weights stay. */
export type Style = keyof typeof codes
export type Span = { readonly text: string; readonly style?: Style | undefined }
/** One row of the screen. */
export type Line = readonly Span[]

/** The line cut to `cells`; an ellipsis shows that something was left out. */
export function clipLine(line: Line, cells: number): Span[] {
  const spans: Span[] = []
  let left = cells
  for (const [index, { text, style }] of line.entries()) {
    const whole = inCells(text)
    const isLast = line.slice(index + 1).every((span) => span.text === '')
    // A piece that fits exactly still needs its last cell to say that more would follow.
    const shown = !isLast && cellsOf(whole) === left ? clip(`${whole} `, left) : clip(whole, left)
    if (shown !== '') spans.push({ text: shown, style })
    left -= cellsOf(shown)
    if (shown !== whole || left <= 0) break
  }
  return spans
}

/** The line as exactly `cells` cells: cut, or filled with spaces, which take the style `fill`. */
export function fitLine(line: Line, cells: number, fill?: Style): Span[] {
  const spans = clipLine(line, cells)
  const gap = cells - cellsOfLine(spans)
  return gap > 0 ? [...spans, { text: ' '.repeat(gap), style: fill }] : spans
}

/** The number of cells a line takes. */
export function cellsOfLine(line: Line): number {
  return line.reduce((sum, { text }) => sum + cellsOf(text), 0)
}

/** The characters of a line, without its styles. */
export function textOfLine(line: Line): string {
  return line.map(({ text }) => text).join('')
}

/** The line as a terminal takes it. */
export function paintLine(line: Line, hasColor: boolean): string {
  return line
    .map(({ text, style }) => {
      if (style === undefined || (!hasColor && !weights.includes(style))) return text
      return `\u001b[${codes[style]}m${text}\u001b[0m`
    })
    .join('')
}
