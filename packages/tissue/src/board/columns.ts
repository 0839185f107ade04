// Which column of the board an issue stands in.

import { progressOf } from '../graph/progress.ts'
import { commentsOf, depsIn, isOver, viewsOf } from '../issue/issue.ts'
import type { Ledger } from '../log/fold.ts'
import { readyIds } from '../ready/ready.ts'
import type { Issue } from '../schema/schemas.ts'

export type Column = { readonly title: string; readonly issues: readonly Issue[] }

/** Closed issues that are still worth a look. */
const closedMax = 50

/** The columns in the order in which work goes through them, each with its most urgent issue first. */
export function boardColumns(ledger: Ledger, now: number): Column[] {
  const { ids, view, isOver: isIssueOver } = viewsOf(ledger)
  const ready = readyIds(ledger, now)
  const isReady = new Set(ready)
  const progress = progressOf(depsIn(ledger), { isOver: isIssueOver, isReady: (id) => isReady.has(id) })
  const wholeOf = (id: string): Issue => {
    const done = progress(id)
    return { ...view(id), comments: commentsOf(ledger, id), ...(done ? { progress: done } : {}) }
  }
  const issues = ids.filter((id) => !isReady.has(id)).map(wholeOf)
  const byUrgency = (place: BoardPlace) =>
    issues.filter((issue) => placeOf(issue, now) === place).sort((a, b) => a.priority - b.priority)
  const closed = issues.filter((issue) => placeOf(issue, now) === 'closed')
  return [
    { title: 'Ready', issues: ready.map(wholeOf) },
    { title: 'Blocked', issues: byUrgency('blocked') },
    { title: 'In progress', issues: byUrgency('in progress') },
    { title: 'Paused', issues: byUrgency('paused') },
    { title: 'Closed', issues: closed.sort((a, b) => (b.closed_at ?? 0) - (a.closed_at ?? 0)).slice(0, closedMax) },
  ]
}

type BoardPlace = 'blocked' | 'in progress' | 'paused' | 'closed'

/** The place of an issue that is not ready. One whose parts are worked on is in progress itself. */
function placeOf({ status, claim, defer_until, blocked_by, progress }: Issue, now: number): BoardPlace {
  if (isOver(status)) return 'closed'
  if (status === 'paused' || status === 'deferred') return 'paused'
  if (status === 'in_progress' || (claim && claim.until > now)) return 'in progress'
  if (defer_until !== undefined && defer_until > now) return 'paused'
  return progress && blocked_by.length === 0 ? 'in progress' : 'blocked'
}
