import { commentsOf, depsIn, findIssue, isOver } from '../issue/issue.ts'
import type { Ledger } from '../log/fold.ts'
import { type HeldBack, heldBackIn } from '../ready/held-back.ts'
import { reasonsOf } from '../ready/standing.ts'
import type { QueryWorld } from './match.ts'

/** What queries ask of a ledger at `now` (milliseconds since 1970); worked out only when one asks. */
export function worldOf(ledger: Ledger, now: number, me: () => string): QueryWorld {
  let known: HeldBack | undefined
  const heldBack = () => {
    known ??= heldBackIn(ledger, now)
    return known
  }
  return {
    now,
    me,
    isReady: ({ id }) => reasonsOf(ledger, heldBack(), id, now).length === 0,
    isBlocked: ({ id, status }) => !isOver(status) && (heldBack().blockers.has(id) || heldBack().ancestors.has(id)),
    below: (name) => idsBelow(ledger, findIssue(ledger, name)),
    commentsOf: ({ id }) => commentsOf(ledger, id),
  }
}

/** Ids of the issues below a parent, at any depth, without itself. */
function idsBelow(ledger: Ledger, top: string): Set<string> {
  const children = new Map<string, string[]>()
  for (const { kind, from, to } of depsIn(ledger)) {
    if (kind !== 'parent') continue
    const known = children.get(from)
    if (known) known.push(to)
    else children.set(from, [to])
  }
  const found = new Set(children.get(top))
  for (const id of found) for (const child of children.get(id) ?? []) found.add(child)
  found.delete(top)
  return found
}
