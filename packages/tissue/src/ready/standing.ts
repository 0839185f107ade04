// Whether an issue can be worked on now, and if not, everything that stands in the way: the one rule of `ready`,
// `claim --next` and `blocked`.

import { isOver, readState } from '../issue/issue.ts'
import type { Ledger } from '../log/fold.ts'
import type { Status } from '../schema/event-schema.ts'
import { deferredUntil, type HeldBack } from './held-back.ts'

/** Why an issue is not ready. `until` is milliseconds since 1970. */
export type Reason =
  | { readonly kind: 'status'; readonly status: Status }
  | { readonly kind: 'held'; readonly by: string; readonly until: number }
  | { readonly kind: 'deferred'; readonly until: number }
  | { readonly kind: 'blocked'; readonly issues: readonly string[] }
  | { readonly kind: 'parent'; readonly parent: string }
  | { readonly kind: 'parts'; readonly issues: readonly string[] }

/** All reasons why an issue is not ready at `now`; none when it is. An issue whose lease ran out is ready again. */
export function reasonsOf(ledger: Ledger, heldBack: HeldBack, id: string, now: number): Reason[] {
  const read = readState(ledger, id)
  if (!read) return []
  const status = read.status.status
  if (isOver(status)) return [{ kind: 'status', status }]
  const { claim } = read.state
  const until = deferredUntil(ledger, id, now)
  const issues = heldBack.blockers.get(id)
  const parent = heldBack.ancestors.get(id)
  const parts = heldBack.parts.get(id)
  const reasons: Reason[] = []
  if (claim && claim.until > now) reasons.push({ kind: 'held', by: claim.by, until: claim.until })
  else if (status !== 'open' && !(status === 'in_progress' && claim)) reasons.push({ kind: 'status', status })
  if (until !== undefined) reasons.push({ kind: 'deferred', until })
  if (issues) reasons.push({ kind: 'blocked', issues })
  if (parent !== undefined) reasons.push({ kind: 'parent', parent })
  if (parts) reasons.push({ kind: 'parts', issues: parts })
  return reasons
}
