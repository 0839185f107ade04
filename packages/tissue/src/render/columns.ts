// Issues in columns, for a person at a terminal.
import { renderAge } from '@switchyard/cli-kit/age'
import { clip, inCells } from '@switchyard/cli-kit/cells'
import { padColumn, widest } from '@switchyard/cli-kit/columns'
import type { Issue } from '../schema/schemas.ts'
import { marksOf, oneLine } from './marks.ts'

const titleColumn = 5
/** So much of a title is shown even where the rest of the line is long: then the terminal breaks it. */
const titleCellsMin = 24

/**
 * Each issue as a line whose columns stand below those of the others; a column that all leave empty is left out. Titles
 * are cut where lines would be longer than `lineCells`.
 */
export function columnsOf(issues: readonly Issue[], now: number, lineCells = Infinity): (issue: Issue) => string {
  const rows = issues.map((issue) => cellsOf(issue, now))
  const widths = (rows[0] ?? []).map((_, column) => widest(rows.map((cells) => cells[column] ?? '')))
  const others = widths.filter((width, column) => column !== titleColumn && width > 0)
  const titleCells = Math.max(titleCellsMin, lineCells - others.reduce((sum, width) => sum + width + 2, 0))
  widths[titleColumn] = Math.min(widths[titleColumn] ?? 0, titleCells)
  return (issue) =>
    cellsOf(issue, now)
      .map((cell, column) => (column === titleColumn && lineCells < Infinity ? clip(cell, titleCells) : cell))
      .map((cell, column) => padColumn(cell, widths[column] ?? 0))
      .filter((_, column) => widths[column] !== 0)
      .join('  ')
      .trimEnd()
}

function cellsOf(issue: Issue, now: number): string[] {
  const { short, priority, issue_type, status, title, updated_at } = issue
  const type = issue_type === 'task' ? '' : issue_type
  const age = renderAge(updated_at, now)
  return [short, `P${priority}`, type, status, age, oneLine(title), marksOf(issue, now).join('  ')].map(inCells)
}
