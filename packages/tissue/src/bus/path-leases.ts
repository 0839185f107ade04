// Paths that a holder leased on the bus together with its claim, and that go back when the claim ends.
import { draftsOf, type Entry } from '../log/draft.ts'
import type { Ledger } from '../log/fold.ts'
import { endsClaims } from '../log/overwritten.ts'

/** Leases to be given back, in the name of the one who took them. */
export type EndedLeases = { readonly by: string; readonly keys: readonly string[] }

/** What the claims that these entries end had leased, without what another claim of the same holder needs. */
export function leasesEndedBy(ledger: Ledger, entries: readonly Entry[]): EndedLeases[] {
  const ended = new Set(
    draftsOf(entries)
      .filter(endsClaims)
      .map(({ issue }) => issue),
  )
  const found = [...ended].flatMap((id) => {
    const claim = ledger.issues.get(id)?.claim
    return claim?.leases?.length ? [{ by: claim.by, keys: claim.leases }] : []
  })
  if (found.length === 0) return []
  const needed = [...ledger.issues.values()].flatMap(({ id, claim }) => (claim && !ended.has(id) ? [claim] : []))
  return found.flatMap(({ by, keys }) => {
    const others = new Set(needed.filter((claim) => claim.by === by).flatMap(({ leases = [] }) => leases))
    const free = keys.filter((key) => !others.has(key))
    return free.length > 0 ? [{ by, keys: free }] : []
  })
}
