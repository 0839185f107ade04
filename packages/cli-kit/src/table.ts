// Records as a table: in columns for a person at a terminal, a row of tabs in a pipe.
import { clip } from './cells.ts'
import { gapBehind, widest } from './columns.ts'
import { inRow } from './in-row.ts'

/** A column at a terminal. */
export type Column<Row> = {
  /** The cell, without colour and on one line. */
  readonly text: (row: Row) => string
  /** The cell in its colour; it must not change how wide it is. */
  readonly paint?: (text: string, row: Row) => string
  readonly isRight?: true
  /** Cells that the column takes at most; a longer text pushes the rest of its own row alone. */
  readonly cellsMax?: number
  /** Texts are cut to what the other columns leave of a line, but to no fewer cells than these. */
  readonly cutTo?: number
}

export type Table<Row> = {
  /** The cells in a pipe, whose order programs rely on. */
  readonly plain: (row: Row) => readonly (string | number)[]
  readonly columns: readonly Column<Row>[]
}

/** How each row looks among the others. */
export function tableOf<Row>(
  rows: readonly Row[],
  { plain, columns }: Table<Row>,
  { isTerminal }: { readonly isTerminal: boolean },
): (row: Row) => string {
  return isTerminal
    ? inColumns(rows, columns)
    : (row) =>
        plain(row)
          .map((cell) => inRow(String(cell)))
          .join('\t')
}

/**
 * How each row looks below the others, in lines of `lineCells`. A column that all rows leave empty is left out; nothing
 * stands behind the last cell of a row.
 */
export function inColumns<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  lineCells = Number.POSITIVE_INFINITY,
): (row: Row) => string {
  const widths = columns.map(({ text, cellsMax = Number.POSITIVE_INFINITY }) =>
    Math.min(cellsMax, widest(rows.map(text))),
  )
  const others = widths.filter((width, at) => columns[at]?.cutTo === undefined && width > 0)
  const left = lineCells - others.reduce((sum, width) => sum + width + 2, 0)
  const shown = columns.flatMap((column, at) => {
    const room = column.cutTo === undefined ? Number.POSITIVE_INFINITY : Math.max(column.cutTo, left)
    const width = Math.min(widths[at] ?? 0, room)
    return width === 0 ? [] : [{ column, width }]
  })
  return (row) => {
    const cells = shown.map(({ column, width }) => cellOf(row, column, width))
    const last = cells.findLastIndex(({ text }) => text !== '')
    return cells
      .slice(0, last + 1)
      .map(({ painted, gap, isRight }, at) => (isRight ? gap + painted : painted + (at === last ? '' : gap)))
      .join('  ')
  }
}

function cellOf<Row>(row: Row, { text: textOf, paint, isRight, cutTo }: Column<Row>, width: number) {
  const text = cutTo === undefined ? textOf(row) : clip(textOf(row), width)
  return { text, painted: text === '' || !paint ? text : paint(text, row), gap: gapBehind(text, width), isRight }
}
