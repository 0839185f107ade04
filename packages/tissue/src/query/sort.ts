// The orders in which a list can stand.
import { fieldNames, flagOf, kindOf } from '../schema/fields.ts'
import type { Issue } from '../schema/schemas.ts'
import { fieldCalled } from './fields.ts'

/** What a list can be sorted by: the fields but long texts, and two times. */
export const orders: readonly string[] = [
  ...fieldNames.filter((name) => kindOf(name) !== 'text').map((name) => flagOf[name]),
  'created',
  'updated',
]

/**
 * Issues, given oldest first, in an order: the most urgent, newest, last changed, soonest, shortest or alphabetically
 * first at the top. Equals stay oldest first; what lacks the field stands last.
 */
export function sortIssues(issues: readonly Issue[], order: string, isReversed: boolean): Issue[] {
  const sorted = [...issues].sort((a, b) => compare(rankOf(a, order), rankOf(b, order)))
  return isReversed ? sorted.reverse() : sorted
}

function rankOf(issue: Issue, order: string): string | number | undefined {
  if (order === 'created') return -issue.created_at
  if (order === 'updated') return -issue.updated_at
  const name = fieldCalled(order)
  const value = name && issue[name]
  return typeof value === 'string' ? value.toLowerCase() : (value ?? undefined)
}

function compare(a: string | number | undefined, b: string | number | undefined): number {
  if (a === b) return 0
  if (a === undefined || b === undefined) return a === undefined ? 1 : -1
  return a < b ? -1 : 1
}
