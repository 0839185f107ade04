// A copy of the ledger to try changes on: what is decided later sees what was decided before, though nothing of it is
// in the log yet.
import { draftsOf, type NewEntry } from '../log/draft.ts'
import { applyRecord, type Ledger, settle } from '../log/fold.ts'
import { type Author, singlesOf, writeLines } from '../log/write-lines.ts'
import type { SingleEvent } from '../schema/event-schema.ts'

/** `events` are those added so far, as they are to be written; `ledger` has them all. */
export type Scratch = {
  readonly ledger: Ledger
  readonly events: readonly SingleEvent[]
  readonly add: (entries: readonly NewEntry[]) => void
}

/** A copy of `ledger`, which stays as it is. */
export function openScratch(ledger: Ledger, author: Author): Scratch {
  const copy: Ledger = {
    ...ledger,
    settings: new Map(ledger.settings),
    seen: new Set(ledger.seen),
    unsettled: new Set(),
    issues: new Map(ledger.issues),
    deps: new Map(ledger.deps),
    keys: new Map(ledger.keys),
  }
  const events: SingleEvent[] = []
  const own = new Set<string>()
  const add = (event: SingleEvent) => {
    if ('issue' in event) setApart(copy, own, event.issue)
    const verdict = applyRecord(copy, event)
    if (verdict !== 'applied') throw new Error(`bug: a ${event.type} was decided that is ${verdict}`)
    if (event.type === 'claimed') confirmHere(copy, event)
    settle(copy)
    events.push(event)
  }
  return {
    ledger: copy,
    events,
    add: (entries) => {
      for (const draft of draftsOf(entries))
        for (const { event } of writeLines([draft], copy, author)) if (event) singlesOf(event).forEach(add)
    },
  }
}

/** What follows is decided as if the claim held; whether it does, its writer learns once it is in the log. */
function confirmHere(copy: Ledger, { issue, id, seq, by }: Extract<SingleEvent, { type: 'claimed' }>): void {
  copy.issues.get(issue)?.facts.push({ kind: 'confirm', seq, id, by, of: id })
}

/** The fold changes issues in place: those that change here are no longer those of the original. */
function setApart(copy: Ledger, own: Set<string>, id: string): void {
  const state = copy.issues.get(id)
  if (!state || own.has(id)) return
  own.add(id)
  copy.issues.set(id, structuredClone(state))
}
