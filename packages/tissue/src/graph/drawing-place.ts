// Where the cells of a drawing stand within their columns: in an order with few crossings, each as straight beside its
// neighbours as there is room. The same graph always gives the same drawing.
import type { Cell } from './drawing-layers.ts'

const orderRounds = 8
const placeRounds = 8

/** Height of a cell with the gap below it, in pixels. */
type HeightOf = (cell: Cell) => number

/** Orders each column and sets the height `y` at which the middle of each cell stands; the topmost cell begins at 0. */
export function placeCells(columns: Cell[][], heightOf: HeightOf): void {
  for (let round = 0; round < orderRounds; round += 1) orderAll(columns, round % 2 === 0)
  for (const column of columns) {
    let top = 0
    for (const cell of column) {
      cell.y = top + heightOf(cell) / 2
      top += heightOf(cell)
    }
  }
  for (let round = 0; round < placeRounds; round += 1) {
    const isForward = round % 2 === 0
    for (const column of isForward ? columns : [...columns].reverse()) {
      const wanted = column.map((cell) => wantedFor(cell, isForward, round >= placeRounds - 2))
      const placed = spaced(column, wanted, heightOf)
      column.forEach((cell, index) => {
        cell.y = placed[index] ?? cell.y
      })
    }
  }
  const cells = columns.flat()
  const top = cells.reduce((least, cell) => Math.min(least, cell.y - heightOf(cell) / 2), Number.POSITIVE_INFINITY)
  for (const cell of cells) cell.y -= top
}

function orderAll(columns: Cell[][], isForward: boolean): void {
  const places = new Map<Cell, number>()
  const note = (column: readonly Cell[]) => {
    for (const [index, cell] of column.entries()) places.set(cell, index / column.length)
  }
  columns.forEach(note)
  for (const column of isForward ? columns : [...columns].reverse()) {
    const means = new Map(
      column.map((cell) => [cell, meanOf(isForward ? cell.before : cell.after, places) ?? places.get(cell)]),
    )
    column.sort((a, b) => (means.get(a) ?? 0) - (means.get(b) ?? 0))
    note(column)
  }
}

function meanOf(cells: readonly Cell[], places: ReadonlyMap<Cell, number>): number | undefined {
  if (cells.length === 0) return undefined
  return cells.reduce((sum, cell) => sum + (places.get(cell) ?? 0), 0) / cells.length
}

function wantedFor(cell: Cell, isForward: boolean, isBoth: boolean): number {
  const beside = isForward ? cell.before : cell.after
  const cells = isBoth ? [...cell.before, ...cell.after] : beside
  if (cells.length === 0) return cell.y
  return cells.reduce((sum, { y }) => sum + y, 0) / cells.length
}

/** The heights nearest to those wanted (least squares) at which no cell overlaps the one above: pooled violators. */
function spaced(column: readonly Cell[], wanted: readonly number[], heightOf: HeightOf): number[] {
  const offsets: number[] = []
  let offset = 0
  column.forEach((cell, index) => {
    const above = column[index - 1]
    if (above) offset += (heightOf(above) + heightOf(cell)) / 2
    offsets.push(offset)
  })
  const blocks: { sum: number; count: number }[] = []
  wanted.forEach((y, index) => {
    let block = { sum: y - (offsets[index] ?? 0), count: 1 }
    for (let last = blocks.at(-1); last && last.sum / last.count > block.sum / block.count; last = blocks.at(-1)) {
      blocks.pop()
      block = { sum: block.sum + last.sum, count: block.count + last.count }
    }
    blocks.push(block)
  })
  const bases = blocks.flatMap(({ sum, count }) => Array.from({ length: count }, () => sum / count))
  return bases.map((base, index) => base + (offsets[index] ?? 0))
}
