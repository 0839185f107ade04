// Claims: an event is valid if it names what was current just before it in the file, and by nothing else. No clock is
// read here: the writer judges whether a lease is over and names the claim it replaces.

import type { Claim } from '../schema/schemas.ts'
import type { SingleEvent } from './event-schema.ts'
import type { IssueState } from './issue-state.ts'

/**
 * `head` is the newest event of the claim, `replaced` the head before its first one, `lengthMs` the lease its holder
 * asked for last.
 */
export type HeldClaim = Claim & { readonly head: string; readonly replaced: string | null; readonly lengthMs: number }

type Claimed = Extract<SingleEvent, { type: 'claimed' }>
type Conditional = Extract<SingleEvent, { type: 'claimed' | 'released' | 'closed' | 'status' }>

/**
 * Moves the claim of an issue on by one event; false when the event is void and changes nothing. One that `isJudged`
 * was valid before what it names was dropped from the log.
 */
export function foldClaim(state: IssueState, event: Conditional, isJudged: boolean): boolean {
  if (event.type === 'claimed') return foldClaimed(state, event, isJudged)
  if (event.type === 'released') {
    if (state.claim?.head !== event.expect && !isJudged) return false
    dropClaim(state)
    return true
  }
  if (event.fence !== undefined && event.fence !== state.claim?.id && !isJudged) return false
  if (event.type === 'closed' || event.status !== 'in_progress') dropClaim(state)
  return true
}

/** What a holder does keeps the claim; it is still the same claim, and whoever replaces it names the same head. */
export function renewClaim(state: IssueState, by: string, renewal: { claim: string; until: number }): void {
  const { claim } = state
  if (claim?.id !== renewal.claim || claim.by !== by) return
  state.claim = { ...claim, until: Math.max(claim.until, renewal.until) }
}

/** Ends the claims that these events made, as far as they are current or contested. */
export function forgetClaims(state: IssueState, gone: ReadonlySet<string>): void {
  if (state.claim && (gone.has(state.claim.id) || gone.has(state.claim.head))) dropClaim(state)
  state.contested = state.contested.filter(({ id }) => !gone.has(id))
}

function foldClaimed(state: IssueState, event: Claimed, isJudged: boolean): boolean {
  const { id, by, at, until, expect, renews, leases } = event
  const lengthMs = Math.max(0, until - at)
  const current = state.claim
  if (expect !== (current?.head ?? null) && !isJudged) {
    // Two clones claimed without knowing of each other: the loser stays visible beside the holder.
    if (current && expect === current.replaced && by !== current.by)
      state.contested = [...state.contested, { id, by, since: at, until }]
    return false
  }
  if (renews !== undefined) {
    if (!current || renews !== current.id || by !== current.by) return false
    state.claim = { ...current, head: id, until, lengthMs, ...(leases ? { leases } : {}) }
    return true
  }
  state.claim = { id, by, since: at, until, head: id, replaced: expect, lengthMs, ...(leases ? { leases } : {}) }
  state.contested = []
  return true
}

function dropClaim(state: IssueState): void {
  state.claim = null
  state.contested = []
}
