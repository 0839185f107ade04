// What waits, for what, and where the waiting begins.

import type { Shown } from '@switchyard/cli-kit'
import { inRow } from '@switchyard/cli-kit/in-row'
import { waitsOf } from '../graph/waiting.ts'
import { createdIds, depsIn, isIssueOver, readState } from '../issue/issue.ts'
import type { Ledger } from '../log/fold.ts'
import { heldBackIn, isPutOff } from '../ready/held-back.ts'
import { glimpsesOf, renderGlimpse, renderGlimpses } from '../render/glimpse.ts'
import { oneLine } from '../render/marks.ts'
import type { Waiting } from '../schema/view-schemas.ts'

/** Ids of the issues that wait at `now` (milliseconds since 1970): most urgent first, then oldest. */
export function waitingIds(ledger: Ledger, now: number): string[] {
  const { blockers, ancestors } = heldBackIn(ledger, now)
  const priorityOf = (id: string) => readState(ledger, id)?.priority ?? 0
  return createdIds(ledger)
    .filter((id) => blockers.has(id) || ancestors.has(id))
    .sort((a, b) => priorityOf(a) - priorityOf(b))
}

/** Describes one issue that waits. */
export function waitingViews(ledger: Ledger, now: number): (id: string) => Waiting {
  const waits = waitsOf(depsIn(ledger), (id) => isIssueOver(ledger, id))
  const { ancestors } = heldBackIn(ledger, now)
  const glimpse = glimpsesOf(ledger, now)
  const putOffAbove = (id: string) => {
    const ancestor = ancestors.get(id)
    return ancestor !== undefined && isPutOff(ledger, ancestor, now) ? [ancestor] : []
  }
  const next = (id: string) => waits(id).map(({ on }) => on)
  return (id) => {
    const { short, title, status } = glimpse(id)
    const priority = readState(ledger, id)?.priority ?? 0
    const parent = ancestors.get(id)
    return {
      v: 1,
      id,
      short,
      title,
      status,
      priority,
      blocked_by: next(id).map(glimpse),
      ...(parent === undefined ? {} : { parent: glimpse(parent) }),
      roots: rootsOf(id, next, putOffAbove).map(glimpse),
    }
  }
}

/** Where the ways from an issue along what it waits for end. Each issue is passed once. */
function rootsOf(start: string, next: (id: string) => string[], putOffAbove: (id: string) => string[]): string[] {
  const seen = new Set([start])
  const roots = new Set<string>()
  for (const id of seen) {
    const blockers = next(id)
    const above = putOffAbove(id)
    if (blockers.length === 0 && above.length === 0) roots.add(id)
    for (const blocker of blockers) seen.add(blocker)
    for (const ancestor of above) roots.add(ancestor)
  }
  return [...roots]
}

/** How a waiting issue is shown: one line. */
export const shownWaiting: Shown<Waiting> = { text: renderWaiting, id: ({ id }) => id }

function renderWaiting({ short, priority, title, blocked_by, parent, roots }: Waiting): string {
  const parts = blocked_by.length > 0 ? [`blocked by ${renderGlimpses(blocked_by)}`] : []
  if (parent) parts.push(`held back with its parent ${renderGlimpse(parent)}`)
  const direct = new Set([...blocked_by, ...(parent ? [parent] : [])].map(({ id }) => id))
  if (roots.length === 0) parts.push('in a circle: see tissue dep cycles')
  else if (roots.some(({ id }) => !direct.has(id))) parts.push(`which begins with ${renderGlimpses(roots)}`)
  return inRow(`${short}  P${priority}  ${oneLine(title)}  ${parts.join(', ')}`)
}
