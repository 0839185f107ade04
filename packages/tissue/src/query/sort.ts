// The orders in which a list can stand.
import type { Issue } from '../schema/schemas.ts'

/** What a list can be sorted by. */
export const orders = ['priority', 'created', 'updated', 'due', 'title'] as const
export type Order = (typeof orders)[number]

/**
 * Issues, given oldest first, in an order: the most urgent, newest, last changed, soonest due or alphabetically first
 * at the top. Equals stay oldest first; what is never due stands last.
 */
export function sortIssues(issues: readonly Issue[], order: Order, isReversed: boolean): Issue[] {
  const sorted = [...issues].sort(comparisons[order])
  return isReversed ? sorted.reverse() : sorted
}

const comparisons: Readonly<Record<Order, (a: Issue, b: Issue) => number>> = {
  priority: (a, b) => a.priority - b.priority,
  created: (a, b) => b.created_at - a.created_at,
  updated: (a, b) => b.updated_at - a.updated_at,
  due: (a, b) => (a.due_at ?? Number.MAX_VALUE) - (b.due_at ?? Number.MAX_VALUE),
  title: (a, b) => compareTexts(a.title.toLowerCase(), b.title.toLowerCase()),
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
