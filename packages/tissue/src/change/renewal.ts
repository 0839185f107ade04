// Keeping a claim for longer, and nothing else: what was lost is not taken again.
import { Failure } from '@switchyard/ground/failure'
import { findIssue, getState, isIssueOver, isOver } from '../issue/issue.ts'
import type { Draft } from '../log/draft.ts'
import type { Ledger } from '../log/fold.ts'
import type { HeldClaim } from '../log/standing.ts'
import { timeText } from '../text/time-text.ts'
import { renewal, type Wish } from './claim.ts'
import type { Actor } from './fence.ts'

/**
 * The renewals of this actor's claim on the issue that `name` names, or of all that it holds. Exits 5 when it is
 * another's, or over; 3 when nothing is held.
 */
export function decideRenewals(ledger: Ledger, name: string | undefined, actor: Actor, wish: Wish): Draft[] {
  const ids = name === undefined ? heldBy(ledger, actor) : [findIssue(ledger, name)]
  if (ids.length === 0)
    throw new Failure('notFound', `expected an issue that ${actor.by} holds, there is none`, {
      hint: 'take one with tissue claim --next',
    })
  return ids.map((id) => decideRenewal(ledger, id, actor, wish))
}

/** Ids of the issues that this actor holds, by the order of the log. */
export function heldBy(ledger: Ledger, { by, at }: Actor): string[] {
  return [...ledger.issues.values()]
    .filter(({ id, claim }) => claim?.by === by && claim.until > at && !isIssueOver(ledger, id))
    .map(({ id }) => id)
}

/**
 * The renewal of this actor's claim. Exits 5 when it is another's, or over: whoever was away so long cannot know what
 * happened meanwhile.
 */
export function decideRenewal(ledger: Ledger, id: string, actor: Actor, { ttlMs }: Wish = {}): Draft {
  const { state, status } = getState(ledger, id)
  // A merge can close what another clone has claimed.
  const held = isOver(status.status) ? null : state.claim
  if (held && held.until > actor.at && held.by === actor.by) return renewal(id, held, actor, { ttlMs })
  throw new Failure('conflict', `expected ${id} to be held by ${actor.by}, ${fateOf(held, status.status, actor)}`, {
    hint: `stop, or take it again with tissue claim ${id}`,
  })
}

function fateOf(held: HeldClaim | null, status: string, { by, at }: Actor): string {
  if (!held) return `nobody holds it, it is ${status}`
  const who = held.by === by ? 'the claim' : `the claim of ${held.by}`
  return held.until > at
    ? `${held.by} holds it until ${timeText(held.until)}`
    : `${who} ran out ${timeText(held.until)}`
}
