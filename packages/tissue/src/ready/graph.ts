// The issues and links of a store, as they are drawn.

import { type Progress, progressOf } from '../graph/progress.ts'
import { depsIn, viewsOf } from '../issue/issue.ts'
import type { Ledger } from '../log/fold.ts'
import type { Dep } from '../schema/event-schema.ts'
import type { GraphNode } from '../schema/graph-schemas.ts'
import type { Issue } from '../schema/schemas.ts'
import { readyIds } from './ready.ts'

/** All issues, those to look at first at the beginning, and all links. */
export type Graph = {
  readonly issues: readonly Issue[]
  readonly deps: readonly Dep[]
  readonly isReady: (id: string) => boolean
  readonly isOver: (id: string) => boolean
  readonly progress: (id: string) => Progress | undefined
}

/** The graph of a ledger at `now` (milliseconds since 1970): open issues before others, most urgent first, then oldest. */
export function graphOf(ledger: Ledger, now: number): Graph {
  const { ids, view, isOver } = viewsOf(ledger)
  const ready = new Set(readyIds(ledger, now))
  const isReady = (id: string) => ready.has(id)
  const deps = [...depsIn(ledger)]
  const rank = ({ id, priority }: Issue) => (isOver(id) ? 10 : 0) + priority
  const issues = ids.map(view).sort((a, b) => rank(a) - rank(b))
  return { issues, deps, isReady, isOver, progress: progressOf(deps, { isOver, isReady }) }
}

/** Why an open issue is not ready, as a word; `open` is left for one whose parts come first. */
function stateOfOpen({ blocked_by, defer_until }: Issue, now: number): GraphNode['state'] {
  if (blocked_by.length > 0) return 'blocked'
  return defer_until !== undefined && defer_until > now ? 'deferred' : 'open'
}

/** What is drawn of an issue. */
export function nodeOf({ isReady, progress }: Graph, issue: Issue, now: number): GraphNode {
  const { id, short, title, status, priority, issue_type, blocked_by, claim, deps } = issue
  const done = progress(id)
  const held = claim && claim.until > now
  const own = new Set(deps.flatMap(({ kind, from, to }) => (kind === 'blocks' && to === id ? from : [])))
  return {
    id,
    short,
    title,
    status,
    state: isReady(id) ? 'ready' : status === 'open' ? stateOfOpen(issue, now) : status,
    priority,
    issue_type,
    ...(held ? { by: claim.by } : {}),
    blocked_by,
    waits_for: blocked_by.filter((blocker) => own.has(blocker)),
    ...(done ? { progress: done } : {}),
  }
}
