import { countShared } from './alike.ts'
import { neighbours } from './group.ts'
import type { Prepared } from './prepare.ts'

/** Share of the words that two titles have in common when one denies the other. */
const commonMin = 0.4

/** Ids of findings by the id of each that they deny: what is said of the same lines in the same words, with a not. */
export function findContradictions(all: readonly Prepared[]): ReadonlyMap<string, readonly string[]> {
  const denied = new Map<string, Set<string>>()
  const note = (id: string, other: string) => denied.set(id, (denied.get(id) ?? new Set()).add(other))
  for (const [i, j] of neighbours(all)) {
    const [a, b] = [all[i], all[j]]
    if (a === undefined || b === undefined || a.isDenial === b.isDenial || a.finding.id === b.finding.id) continue
    const shared = countShared(a.title, b.title)
    if (shared === 0 || shared < commonMin * (a.title.length + b.title.length - shared)) continue
    note(a.finding.id, b.finding.id)
    note(b.finding.id, a.finding.id)
  }
  return new Map([...denied].map(([id, others]) => [id, [...others].sort()]))
}
