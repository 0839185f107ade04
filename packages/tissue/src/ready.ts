// What can be worked on now.
import type { Ledger } from './fold.ts'
import { createdIds, depsIn, isIssueOver, readState } from './issue.ts'
import { waitsOf } from './waiting.ts'

/**
 * Ids of the issues that are open, wait for no other and are held by nobody at `now`: most urgent first, then oldest.
 * An issue whose lease ran out is ready again.
 */
export function readyIds(ledger: Ledger, now: number, tags: readonly string[] = []): string[] {
  const waits = waitsOf(depsIn(ledger), (id) => isIssueOver(ledger, id))
  const ready: { id: string; priority: number }[] = []
  for (const id of createdIds(ledger)) {
    const read = readState(ledger, id)
    if (!read) continue
    const { state, status, priority } = read
    if (state.claim && state.claim.until > now) continue
    const isAbandoned = status.status === 'in_progress' && state.claim !== null
    if (status.status !== 'open' && !isAbandoned) continue
    if (!tags.every((tag) => state.tags.get(tag)?.value)) continue
    if (waits(id).length === 0) ready.push({ id, priority })
  }
  return ready.sort((a, b) => a.priority - b.priority).map(({ id }) => id)
}
