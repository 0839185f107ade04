// CSV by RFC 4180: quotes, quotes within them doubled, line feeds within them, CRLF or LF.

/** A row and the line that it begins on, from 1. */
export type CsvRow = { readonly line: number; readonly cells: readonly string[] }

/** Why a text is no CSV. */
export type CsvFault = { readonly line: number; readonly reason: string }

const separators = [',', ';', '\t'] as const

/** What stands between the cells of the first row: a comma unless it has none and one of the other two. */
export function separatorOf(text: string): string {
  const [header = ''] = text.split('\n', 1)
  return separators.find((separator) => header.includes(separator)) ?? ','
}

/** The rows of a text; blank lines are no rows. Stops at the first fault, because quotes decide where rows end. */
export function parseCsv(text: string, separator: string): { rows: CsvRow[]; fault?: CsvFault } {
  const rows: CsvRow[] = []
  let line = 1
  for (let at = 0; at < text.length; ) {
    const row = readRow(text, at, separator)
    if (row.fault !== undefined) return { rows, fault: { line, reason: row.fault } }
    if (row.cells.length > 1 || row.cells[0] !== '') rows.push({ line, cells: row.cells })
    line += row.lines
    at = row.end
  }
  return { rows }
}

/** Cells as one row, without its end. */
export function renderCsvRow(cells: readonly string[], separator = ','): string {
  const special = new RegExp(`["\\r\\n${separator}]|^\\s|\\s$`)
  return cells.map((cell) => (special.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(separator)
}

/** A cell that begins like a formula, or like one that was made text before, as text: with an apostrophe in front. */
export function asText(cell: string): string {
  return /^'*[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
}

/** What `asText` was given. */
export function fromText(cell: string): string {
  return /^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell
}

type Read = { cells: string[]; end: number; lines: number; fault?: string }

function readRow(text: string, start: number, separator: string): Read {
  const cells: string[] = []
  let lines = 1
  for (let at = start; ; ) {
    const cell = text[at] === '"' ? readQuoted(text, at) : readPlain(text, at, separator)
    if (cell === undefined) return { cells, end: at, lines, fault: 'has a quote that is not closed' }
    cells.push(cell.text)
    lines += cell.lines
    at = cell.end
    if (text[at] === separator) at += 1
    else if (at >= text.length) return { cells, end: at, lines }
    else if (text[at] === '\n') return { cells, end: at + 1, lines }
    else if (text.startsWith('\r\n', at)) return { cells, end: at + 2, lines }
    else return { cells, end: at, lines, fault: 'has text behind a closing quote' }
  }
}

function readPlain(text: string, start: number, separator: string) {
  let end = start
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && !text.startsWith('\r\n', end)) end += 1
  return { text: text.slice(start, end), end, lines: 0 }
}

function readQuoted(text: string, start: number) {
  let value = ''
  for (let at = start + 1; ; ) {
    const close = text.indexOf('"', at)
    if (close === -1) return undefined
    value += text.slice(at, close)
    if (text[close + 1] !== '"') return { text: value, end: close + 1, lines: value.split('\n').length - 1 }
    value += '"'
    at = close + 2
  }
}
