// Issues in columns, for a person at a terminal.
import { renderAge } from '@switchyard/cli-kit/age'
import { inCells } from '@switchyard/cli-kit/cells'
import { inColumns } from '@switchyard/cli-kit/table'
import type { Issue } from '../schema/schemas.ts'
import { marksOf, oneLine } from './marks.ts'

/** So much of a title is shown even where the rest of the line is long: then the terminal breaks it. */
const titleCellsMin = 24

/** Each issue as a line whose columns stand below those of the others; titles are cut to what fits into `lineCells`. */
export function columnsOf(issues: readonly Issue[], now: number, lineCells?: number): (issue: Issue) => string {
  const columns = [
    { text: ({ short }: Issue) => inCells(short) },
    { text: ({ priority }: Issue) => `P${priority}` },
    { text: ({ issue_type }: Issue) => (issue_type === 'task' ? '' : inCells(issue_type)) },
    { text: ({ status }: Issue) => status },
    { text: ({ updated_at }: Issue) => renderAge(updated_at, now) },
    { text: ({ title }: Issue) => inCells(oneLine(title)), cutTo: titleCellsMin },
    { text: (issue: Issue) => inCells(marksOf(issue, now).join('  ')) },
  ]
  return inColumns(issues, columns, lineCells)
}
