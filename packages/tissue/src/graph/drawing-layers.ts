// The columns of a drawing: every issue right of what it comes after.
import type { Dep } from '../schema/event-schema.ts'

/** Columns that a line may cross in a row of its own; a longer one goes straight there, behind what stands between. */
const spanMax = 8

/** A place in a column: an issue, or where a line passes by. */
export type Cell = {
  readonly key: string
  readonly isIssue: boolean
  readonly before: Cell[]
  readonly after: Cell[]
  y: number
}

/** A line between issues through the cells of the columns between; one that is long, or goes back, has none. */
type Line = { readonly dep: Dep; readonly through: readonly Cell[] }

/** The issues that hang together, column by column. */
export type Layers = { readonly columns: Cell[][]; readonly lines: Line[] }

/**
 * The column of each issue: one more than the largest of those it comes after, and for the first of all as far right as
 * its followers allow. On a circle the first issue in order comes first.
 */
function columnsOf(ids: readonly string[], deps: readonly Dep[]): Map<string, number> {
  const after = new Map<string, string[]>(ids.map((id) => [id, []]))
  const missing = new Map<string, number>(ids.map((id) => [id, 0]))
  for (const { from, to } of deps) {
    after.get(from)?.push(to)
    missing.set(to, (missing.get(to) ?? 0) + 1)
  }
  const columns = new Map<string, number>()
  const earliest = new Map<string, number>()
  const settle = (first: string) => {
    const queue = [first]
    for (const id of queue) {
      if (columns.has(id)) continue
      const column = earliest.get(id) ?? 0
      columns.set(id, column)
      for (const next of after.get(id) ?? []) {
        earliest.set(next, Math.max(earliest.get(next) ?? 0, column + 1))
        missing.set(next, (missing.get(next) ?? 0) - 1)
        if (missing.get(next) === 0) queue.push(next)
      }
    }
  }
  for (const id of ids.filter((id) => missing.get(id) === 0)) settle(id)
  for (const id of ids) settle(id)
  const followers = new Set(deps.map(({ to }) => to))
  for (const id of ids) {
    const nearest = Math.min(...(after.get(id) ?? []).map((next) => columns.get(next) ?? 0))
    if (!followers.has(id) && Number.isFinite(nearest)) columns.set(id, Math.max(0, nearest - 1))
  }
  return columns
}

/** The columns of these issues, with a cell for each line that passes through one. */
export function layersOf(ids: readonly string[], deps: readonly Dep[]): Layers {
  const columnOf = columnsOf(ids, deps)
  const columns: Cell[][] = []
  const put = (key: string, isIssue: boolean, column: number): Cell => {
    const cell: Cell = { key, isIssue, before: [], after: [], y: 0 }
    for (let index = columns.length; index <= column; index += 1) columns.push([])
    columns[column]?.push(cell)
    return cell
  }
  const cells = new Map(ids.map((id) => [id, put(id, true, columnOf.get(id) ?? 0)]))
  const lines = deps.map((dep) => {
    const start = columnOf.get(dep.from) ?? 0
    const end = columnOf.get(dep.to) ?? 0
    const through: Cell[] = []
    if (end - start > spanMax) return { dep, through }
    let last = cells.get(dep.from)
    for (let column = start + 1; column <= end; column += 1) {
      const next = column === end ? cells.get(dep.to) : put(`${dep.from} ${dep.to} ${column}`, false, column)
      if (!last || !next) break
      last.after.push(next)
      next.before.push(last)
      if (column < end) through.push(next)
      last = next
    }
    return { dep, through }
  })
  return { columns, lines }
}
