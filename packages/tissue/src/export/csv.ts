// Issues as a table, whose columns `import` knows. A cell that a spreadsheet program would take for a formula has an
// apostrophe in front, which `import` takes away again.
import { asText, renderCsvRow } from '../import/csv.ts'
import { timeText } from '../text/time-text.ts'
import { type ExportedIssue, originOf, ownMeta } from './exported.ts'

const columns = [
  'id',
  'title',
  'status',
  'priority',
  'type',
  'tags',
  'assignee',
  'acceptance',
  'refs',
  'blocked_by',
  'parent',
  'defer_until',
  'due_at',
  'estimate',
  'close_reason',
  'created_at',
  'created_by',
  'body',
] as const

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
    yield rowOf([...columns.map((column) => cells[column]), ...names.map((name) => meta.get(name) ?? '')])
  }
}

const rowOf = (cells: readonly string[]) => renderCsvRow(cells.map(asText))

function cellsOf(issue: ExportedIssue): Record<(typeof columns)[number], string> {
  const linked = (kind: 'blocks' | 'parent') =>
    renderCsvRow(issue.deps.filter((dep) => dep.kind === kind && dep.to === issue.id).map(({ from }) => from))
  const { at, by } = originOf(issue)
  return {
    id: issue.id,
    title: issue.title,
    status: issue.status,
    priority: String(issue.priority),
    type: issue.issue_type,
    tags: renderCsvRow(issue.tags),
    assignee: issue.assignee ?? '',
    acceptance: issue.acceptance ?? '',
    refs: renderCsvRow(issue.refs ?? []),
    blocked_by: linked('blocks'),
    parent: linked('parent'),
    defer_until: momentText(issue.defer_until),
    due_at: momentText(issue.due_at),
    estimate: issue.estimate_ms === undefined ? '' : durationText(issue.estimate_ms),
    close_reason: issue.close_reason ?? '',
    created_at: at,
    created_by: by,
    body: issue.body,
  }
}

function momentText(at: number | undefined): string {
  return at === undefined ? '' : timeText(at)
}

function durationText(ms: number): string {
  const [unit, length] = units.find(([, size]) => ms > 0 && ms % size === 0) ?? ['ms', 1]
  return `${ms / length}${unit}`
}
