// The columns of a table of issues: `export` writes them, `import` knows them.
import { type Field, optionalNames } from '../schema/fields.ts'

/** Columns that are not called like their fields. */
const ownNames: { readonly [F in Field]?: string } = { issue_type: 'type', estimate_ms: 'estimate' }
const first = 'id title status priority type tags assignee acceptance refs blocked_by parent'.split(' ')
const others = optionalNames.map(columnOf).filter((column) => !first.includes(column))

/** What `export` says of where an issue comes from; `import` keeps it as meta. */
export const originColumns = ['created_at', 'created_by']

/** All columns, in the order of `export`; entries of meta come after them. */
export const columns = [...first, ...others, 'close_reason', ...originColumns, 'body']

/** The column of a field. */
export function columnOf(field: Field): string {
  return ownNames[field] ?? field
}
