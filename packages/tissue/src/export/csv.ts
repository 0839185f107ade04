// Issues as a table, whose columns `import` knows. A cell that a spreadsheet program would take for a formula has an
// apostrophe in front, which `import` takes away again.
import { asText, renderCsvRow } from '../import/csv.ts'
import { columnOf, columns } from '../import/csv-columns.ts'
import { type Field, kindOf, optionalNames } from '../schema/fields.ts'
import { timeText } from '../text/time-text.ts'
import { type ExportedIssue, originOf, ownMeta } from './exported.ts'

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const

/** The lines of the table, without their ends; entries of meta are columns of their own. */
export function* csvLines(issues: readonly ExportedIssue[]): Generator<string> {
  const names = [...new Set(issues.flatMap((issue) => ownMeta(issue).map(([name]) => name)))].sort()
  yield rowOf([...columns, ...names.map((name) => `meta.${name}`)])
  for (const issue of issues) {
    const cells = cellsOf(issue)
    const meta = new Map(ownMeta(issue))
    yield rowOf([...columns.map((column) => cells.get(column) ?? ''), ...names.map((name) => meta.get(name) ?? '')])
  }
}

const rowOf = (cells: readonly string[]) => renderCsvRow(cells.map(asText))

function cellsOf(issue: ExportedIssue): ReadonlyMap<string, string> {
  const linked = (kind: 'blocks' | 'parent') =>
    renderCsvRow(issue.deps.filter((dep) => dep.kind === kind && dep.to === issue.id).map(({ from }) => from))
  const { at, by } = originOf(issue)
  const cells = {
    id: issue.id,
    title: issue.title,
    status: issue.status,
    priority: String(issue.priority),
    type: issue.issue_type,
    tags: renderCsvRow(issue.tags),
    refs: renderCsvRow(issue.refs ?? []),
    blocked_by: linked('blocks'),
    parent: linked('parent'),
    close_reason: issue.close_reason ?? '',
    created_at: at,
    created_by: by,
    body: issue.body,
  }
  const optional = optionalNames.map((name): [string, string] => [columnOf(name), cellOf(name, issue[name] ?? '')])
  return new Map([...Object.entries(cells), ...optional])
}

function cellOf(name: Field, value: string | number): string {
  if (typeof value === 'string') return value
  return kindOf(name) === 'moment' ? timeText(value) : durationText(value)
}

function durationText(ms: number): string {
  const [unit, length] = units.find(([, size]) => ms > 0 && ms % size === 0) ?? ['ms', 1]
  return `${ms / length}${unit}`
}
