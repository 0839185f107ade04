// The flags by which verbs choose among issues.
import type { Need } from '../cache/need.ts'
import type { Ledger } from '../log/fold.ts'

/** The flags of every verb that chooses among issues. */
export const choiceFlags = {
  tag: { type: 'list', short: 't', value: 'TAG', summary: 'Only those with all of these tags' },
  type: { type: 'list', value: 'TYPE', summary: 'Only these types: bug, feature, task, ...' },
  parent: { type: 'string', value: 'ID', summary: 'Only what is below this issue, at any depth' },
  query: { type: 'string', value: 'QUERY', summary: "Only what fits: 'priority<=1 AND tag:auth'" },
} as const

/** What `choiceFlags` gave; with `mine` only what is assigned to me or to nobody. */
export type ChoiceFlags = {
  readonly tag: readonly string[]
  readonly type: readonly string[]
  readonly parent?: string | undefined
  readonly query?: string | undefined
  readonly mine?: boolean
}

/**
 * The test of one ledger at `now` (milliseconds since 1970), by id. `me` is asked only when it matters. Exits 3 and 4
 * on a parent that names no issue, or several.
 */
export type Choice = (ledger: Ledger, now: number, me: () => string) => (id: string) => boolean

/** Whether one of `choiceFlags` was given. */
export function narrows({ tag, type, parent, query }: ChoiceFlags): boolean {
  return tag.length > 0 || type.length > 0 || parent !== undefined || query !== undefined
}

/**
 * How much of the log a choice among open issues needs, beside the issues that `names` name: what is below a parent may
 * be so through others that are over.
 */
export function needOf({ parent, query = '' }: Pick<ChoiceFlags, 'parent' | 'query'>, names: readonly string[]): Need {
  return parent !== undefined || query.includes('parent') ? 'everything' : { openOnly: names }
}
