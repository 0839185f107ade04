// Taking an issue. Each decision is made on the ledger read inside the section, and names what it replaces.
import { Failure } from '@switchyard/ground/failure'
import { getState, isOver, type ReadIssue } from '../issue/issue.ts'
import type { Draft } from '../log/draft.ts'
import type { Ledger } from '../log/fold.ts'
import type { HeldClaim } from '../log/standing.ts'
import { readyIds } from '../ready/ready.ts'
import { readSetting } from '../store/settings.ts'
import { type Actor, heldFailure } from './fence.ts'

/** For how long (milliseconds), and which paths were leased on the bus with it. */
export type Wish = { readonly ttlMs?: number | undefined; readonly leases?: readonly string[] | undefined }

/**
 * The claim by this actor of an issue that was read from the ledger; for its holder a renewal, by default for as long
 * as it asked for before. Exits 5 when another holds it or it is closed.
 */
export function decideClaim(ledger: Ledger, issue: ReadIssue, actor: Actor, wish: Wish = {}): Draft {
  const { id, claim: held } = issue.state
  const { status } = issue.status
  if (isOver(status))
    throw new Failure('conflict', `expected an issue to work on, ${id} is ${status}`, {
      hint: `reopen it with tissue reopen ${id}`,
    })
  if (!held || held.until <= actor.at) {
    const leases = wish.leases?.length ? { leases: [...wish.leases] } : {}
    const until = actor.at + (wish.ttlMs ?? readSetting(ledger, 'lease'))
    const previous = held ? { previous: held.by } : {}
    return { type: 'claimed', issue: id, until, expect: held?.head ?? null, ...previous, ...leases }
  }
  if (held.by !== actor.by) throw heldFailure(id, held)
  return renewal(id, held, actor, wish)
}

/** The claim of the first issue that is ready, of those that are meant. Exits 3 when there is none. */
export function decideNextClaim(ledger: Ledger, actor: Actor, wish: Wish, isMeant?: (id: string) => boolean): Draft {
  const [next] = readyIds(ledger, actor.at, isMeant)
  if (next === undefined)
    throw new Failure('notFound', 'expected an issue that is ready, there is none', { hint: 'see tissue list' })
  return decideClaim(ledger, getState(ledger, next), actor, wish)
}

/** Who an issue is meant for, if that was said. */
export function assigneeOf(ledger: Ledger, id: string): string | undefined {
  return ledger.issues.get(id)?.fields.assignee?.value ?? undefined
}

/** What keeps this actor's claim from now on, by default for as long as it asked for before. */
export function renewal(id: string, held: HeldClaim, actor: Actor, { ttlMs, leases = [] }: Wish): Draft {
  const until = actor.at + (ttlMs ?? held.lengthMs)
  const kept = held.leases ?? []
  const added = leases.filter((key) => !kept.includes(key))
  const all = added.length > 0 ? { leases: [...kept, ...added] } : {}
  return { type: 'claimed', issue: id, until, expect: held.head, renews: held.id, ...all }
}
