// Who came first of those who wrote to one store without seeing each other, as under a lock that did not lock: the
// rules by which a writer tells from the lines between whether it has lost. Pure, so that a model can try them.
import type { SingleEvent } from '../schema/event-schema.ts'

/** Events of others that a writer had not seen when it decided, in the order of their lines. */
export type Rivals = readonly SingleEvent[]

/** The event that begins a claim. */
export type ClaimStart = Extract<SingleEvent, { type: 'claimed' }> & { renews?: undefined }

/** Whether an event begins a claim; one that renews a claim does not. */
export function isClaimStart(event: SingleEvent): event is ClaimStart {
  return event.type === 'claimed' && event.renews === undefined
}

/**
 * Whether an event that was just appended has lost to one of `rivals`, which stand before it: a claim to any other claim
 * and to whatever ends one, an act of a holder to a claim that takes its own over, or ends it.
 */
export function losesBefore(event: SingleEvent, rivals: Rivals): boolean {
  if (!isConditional(event)) return false
  return rivals.some((rival) => {
    if (!('issue' in rival) || rival.issue !== event.issue) return false
    if (isEnd(rival) || isClaimStart(rival)) return true
    const saysItIsHeld = rival.type === 'claimed' || rival.type === 'confirmed'
    return saysItIsHeld && isClaimStart(event)
  })
}

/** Whether a claim has lost to one of `rivals`, which stand between it and its confirmation. */
export function losesUnconfirmed(claim: ClaimStart, rivals: Rivals): boolean {
  return rivals.some((rival) => {
    if (!('issue' in rival) || rival.issue !== claim.issue) return false
    if (isClaimStart(rival)) return rival.supersedes === undefined || rival.supersedes.includes(claim.id)
    return isEnd(rival)
  })
}

/** What is done only while nobody else holds the issue, or only under a claim. */
function isConditional(event: SingleEvent): event is Extract<SingleEvent, { issue: string }> {
  if (event.type === 'claimed' || event.type === 'released') return true
  return (event.type === 'closed' || event.type === 'status') && event.fence !== undefined
}

function isEnd(event: SingleEvent): boolean {
  const { type } = event
  return type === 'released' || type === 'closed' || type === 'status' || type === 'deleted'
}
