// Taking, keeping and giving back an issue. Each decision is made on the ledger read inside the section, and names
// what it replaces.
import { Failure } from '@switchyard/cli-kit/failure'
import type { Draft } from './draft.ts'
import type { Status } from './event-schema.ts'
import type { Ledger } from './fold.ts'
import type { HeldClaim } from './fold-claim.ts'
import { isOver, readState } from './issue.ts'
import { readyIds } from './ready.ts'
import { timeText } from './time-text.ts'

/** Who acts, and when. */
export type Actor = { readonly by: string; readonly at: number }
/** Under which claim an act is done (`--fence`), and whether another's claim is overridden. */
export type Authority = { readonly fence?: string | undefined; readonly force?: boolean | undefined }

/**
 * The claim of an issue by this actor until `leaseMs` from now; for its holder a renewal. Exits 5 when another holds
 * it or it is closed.
 */
export function decideClaim(ledger: Ledger, id: string, actor: Actor, leaseMs: number): Draft {
  const { state, status } = getState(ledger, id)
  if (isOver(status))
    throw new Failure('conflict', `expected an issue to work on, ${id} is ${status}`, {
      hint: `reopen it with tissue status ${id} open`,
    })
  const held = state.claim
  if (held && held.until > actor.at && held.by !== actor.by) throw heldFailure(id, held)
  const until = actor.at + leaseMs
  if (held && held.until > actor.at) return { type: 'claimed', issue: id, until, expect: held.head, renews: held.id }
  return { type: 'claimed', issue: id, until, expect: held?.head ?? null }
}

/** The claim of the first issue that is ready, of those that are meant. Exits 3 when none is. */
export function decideNextClaim(
  ledger: Ledger,
  actor: Actor,
  leaseMs: number,
  isMeant?: (id: string) => boolean,
): Draft {
  const [first] = readyIds(ledger, actor.at, isMeant)
  if (first === undefined)
    throw new Failure('notFound', 'expected an issue that is ready, there is none', { hint: 'see tissue list' })
  return decideClaim(ledger, first, actor, leaseMs)
}

/**
 * The release of an issue; nothing to do when nobody holds it. Exits 5 when another does, or when the fence is not
 * the current claim.
 */
export function decideRelease(
  ledger: Ledger,
  id: string,
  actor: Actor,
  authority: Authority & { note?: string | undefined },
): Draft[] {
  const { state } = getState(ledger, id)
  checkFence(id, state.claim, authority.fence)
  const held = state.claim
  if (!held) return []
  if (authority.fence === undefined && held.by !== actor.by) throw heldFailure(id, held)
  const note = authority.note === undefined ? {} : { note: authority.note }
  return [{ type: 'released', issue: id, expect: held.head, ...note }]
}

/**
 * The fence that an act on an issue has to carry. Exits 5 when another holds it, or when the fence given is not the
 * current claim.
 */
export function fenceOf(ledger: Ledger, id: string, actor: Actor, { fence, force }: Authority): { fence?: string } {
  const { claim } = getState(ledger, id).state
  checkFence(id, claim, fence)
  if (fence !== undefined) return { fence }
  if (!claim || force) return {}
  if (claim.by === actor.by) return { fence: claim.id }
  if (claim.until > actor.at) throw heldFailure(id, claim, 'or override it with --force')
  return {}
}

function checkFence(id: string, claim: HeldClaim | null, fence: string | undefined): void {
  if (fence === undefined || fence === claim?.id) return
  const now = claim ? `${claim.id} of ${claim.by}` : 'none'
  throw new Failure('conflict', `expected claim ${fence} to be current on ${id}, it is ${now}`, {
    hint: 'the work belongs to another now: stop',
  })
}

function heldFailure(id: string, claim: HeldClaim, otherwise = 'or take another: tissue claim --next'): Failure {
  const until = timeText(claim.until)
  return new Failure('conflict', `expected ${id} to be free, ${claim.by} holds it until ${until}`, {
    hint: `wait, ${otherwise}`,
  })
}

function getState(ledger: Ledger, id: string): { state: { claim: HeldClaim | null }; status: Status } {
  const read = readState(ledger, id)
  if (!read) throw new Error(`bug: ${id} was found but never created`)
  return { state: read.state, status: read.status.status }
}
