// Choosing issues for a list.
import type { Status } from './event-schema.ts'
import type { Ledger } from './fold.ts'
import { commentsOf, isOver, type Views } from './issue.ts'
import type { Issue } from './schemas.ts'

/**
 * What a list is narrowed to; empty lists and undefined narrow nothing, but issues that are over need `all` or their
 * status.
 */
export type Filter = {
  readonly statuses: readonly Status[]
  readonly tags: readonly string[]
  readonly search: string | undefined
  readonly holder: string | undefined
  readonly all: boolean
}

/** The issues that pass, most urgent first, then oldest. */
export function filterIssues(ledger: Ledger, views: Views, filter: Filter): Issue[] {
  const wanted = filter.search?.toLowerCase()
  return views.ids
    .map(views.view)
    .filter((issue) => passes(issue, filter) && (wanted === undefined || mentions(ledger, issue, wanted)))
    .sort((a, b) => a.priority - b.priority)
}

function passes(issue: Issue, { statuses, tags, holder, all }: Filter): boolean {
  if (statuses.length > 0 ? !statuses.includes(issue.status) : !all && isOver(issue.status)) return false
  if (holder !== undefined && issue.claim?.by !== holder) return false
  return tags.every((tag) => issue.tags.includes(tag))
}

function mentions(ledger: Ledger, { id, title, body }: Issue, wanted: string): boolean {
  const texts = [title, body, ...commentsOf(ledger, id).map((comment) => comment.body)]
  return texts.some((text) => text.toLowerCase().includes(wanted))
}
