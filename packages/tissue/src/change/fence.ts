// Under which claim an act is done. A holder's acts carry its claim, so that they are void once another has taken over.
import { Failure } from '@switchyard/ground/failure'
import { getState } from '../issue/issue.ts'
import type { Ledger } from '../log/fold.ts'
import type { HeldClaim } from '../log/standing.ts'
import { timeText } from '../text/time-text.ts'

/** Who acts, and when. */
export type Actor = { readonly by: string; readonly at: number }

/** Under which claim an act is done (`--fence`), and whether another's claim is overridden. */
export type Authority = { readonly fence?: string | undefined; readonly force?: boolean | undefined }

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

/** Exits 5 when a fence was given and is not the current claim. */
export function checkFence(id: string, claim: HeldClaim | null, fence: string | undefined): void {
  if (fence === undefined || fence === claim?.id) return
  const now = claim ? `${claim.id} of ${claim.by}` : 'none'
  throw new Failure('conflict', `expected claim ${fence} to be current on ${id}, it is ${now}`, {
    hint: 'the work belongs to another now: stop',
  })
}

/** Why an issue cannot be had: another holds it. */
export function heldFailure(id: string, claim: HeldClaim, otherwise = 'or take another: tissue claim --next'): Failure {
  const until = timeText(claim.until)
  return new Failure('conflict', `expected ${id} to be free, ${claim.by} holds it until ${until}`, {
    hint: `wait, ${otherwise}`,
  })
}
