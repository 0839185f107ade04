// What can be worked on now.

import { createdIds, readState } from '../issue/issue.ts'
import type { Ledger } from '../log/fold.ts'
import { heldBackIn } from './held-back.ts'
import { reasonsOf } from './standing.ts'

/**
 * Ids of the issues that are open, wait for no other, are not deferred and are held by nobody at `now`, of those that
 * are meant: most urgent first, then oldest.
 */
export function readyIds(ledger: Ledger, now: number, isMeant: (id: string) => boolean = () => true): string[] {
  const heldBack = heldBackIn(ledger, now)
  return createdIds(ledger)
    .filter((id) => reasonsOf(ledger, heldBack, id, now).length === 0 && isMeant(id))
    .map((id) => ({ id, priority: readState(ledger, id)?.priority ?? 0 }))
    .sort((a, b) => a.priority - b.priority)
    .map(({ id }) => id)
}
