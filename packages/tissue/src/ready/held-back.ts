// Whether an issue has to wait: for its own blockers, or because a parent of it waits or is deferred. `waiting.ts` says
// for what exactly; this is the quick answer for all issues at once.

import { isPartOf, linksOf } from '../graph/waiting.ts'
import { depsIn, isIssueOver, readState } from '../issue/issue.ts'
import type { Ledger } from '../log/fold.ts'

/** What open issues wait for; issues that wait for nothing are in none of the maps. */
export type HeldBack = {
  /** The open issues that block this one itself. */
  readonly blockers: ReadonlyMap<string, readonly string[]>
  /** The nearest issue above this one that is blocked from outside, or deferred. */
  readonly ancestors: ReadonlyMap<string, string>
  /** The open parts of this one, which come first: it can only be closed after them. */
  readonly parts: ReadonlyMap<string, readonly string[]>
}

/** What waits at `now` (milliseconds since 1970). Circles that a merge has left end. */
export function heldBackIn(ledger: Ledger, now: number): HeldBack {
  const { blockers, parents } = linksOf(depsIn(ledger), (id) => isIssueOver(ledger, id))
  const children = turned(parents)
  const isStopped = (id: string) =>
    isPutOff(ledger, id, now) || (blockers.get(id) ?? []).some((blocker) => !isPartOf(parents, blocker, id))
  return { blockers, ancestors: spread([...children.keys()].filter(isStopped).sort(), children), parts: children }
}

/** Until when an issue is put off by its date; undefined when that has come, or was never set. */
export function deferredUntil(ledger: Ledger, id: string, now: number): number | undefined {
  const until = ledger.issues.get(id)?.fields.defer_until?.value ?? undefined
  return until !== undefined && until > now ? until : undefined
}

/** Whether an issue is deferred at `now`, by its status or its date. */
export function isPutOff(ledger: Ledger, id: string, now: number): boolean {
  return readState(ledger, id)?.status.status === 'deferred' || deferredUntil(ledger, id, now) !== undefined
}

/** For each issue below some of `tops`: the nearest of them. Each link is followed once. */
function spread(tops: readonly string[], children: ReadonlyMap<string, readonly string[]>): Map<string, string> {
  const nearest = new Map<string, string>()
  const queue = tops.map((id) => ({ id, top: id }))
  for (const { id, top } of queue) {
    for (const child of children.get(id) ?? []) {
      if (nearest.has(child) || child === top) continue
      nearest.set(child, top)
      queue.push({ id: child, top })
    }
  }
  return nearest
}

function turned(parents: ReadonlyMap<string, readonly string[]>): Map<string, string[]> {
  const children = new Map<string, string[]>()
  for (const [child, all] of parents) {
    for (const parent of all) {
      const known = children.get(parent)
      if (known) known.push(child)
      else children.set(parent, [child])
    }
  }
  return children
}
