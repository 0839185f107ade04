// Drafts as lines of the log: the section adds what only it can know.

import { seqMax } from '../schema/event.check.ts'
import type { KnownEvent, SingleEvent } from '../schema/event-schema.ts'
import type { Draft, NewEntry } from './draft.ts'
import type { Ledger } from './fold.ts'
import { causesOf, type Overwritten } from './overwritten.ts'

/** Who writes, when, and where ids come from. */
export type Author = { readonly by: string; readonly now: () => number; readonly ulid: (now: number) => string }

/** A line to append; `event` is there for those of our own making. */
export type NewLine = { readonly id: string; readonly text: string; readonly event?: KnownEvent }

/** The lines that these entries become behind the log that `ledger` is the fold of, in the same order. */
export function writeLines(entries: readonly NewEntry[], ledger: Ledger, author: Author): NewLine[] {
  const at = author.now()
  const overwritten: Overwritten = new Map()
  let seq = ledger.maxSeq
  const stamp = () => {
    // Whatever is in the log already: at the end of the numbers the ids decide, which grow with time.
    seq = Math.min(seq + 1, seqMax)
    return { v: 1 as const, id: author.ulid(at), seq, at, by: author.by }
  }
  const eventOf = (draft: Draft): SingleEvent => {
    const stamped = stamp()
    return { ...stamped, ...draft, ...causesOf(ledger, overwritten, draft, stamped) }
  }
  return entries.map((entry) => {
    if ('line' in entry) {
      seq = Math.max(seq, entry.seq)
      return { id: entry.id, text: entry.line }
    }
    if (entry.type !== 'batch') return ownLine(eventOf(entry))
    const events = entry.made ? [...entry.made] : entry.drafts.map(eventOf)
    for (const made of entry.made ?? []) seq = Math.max(seq, made.seq)
    return ownLine({ ...stamp(), type: 'batch', events })
  })
}

/** The events of these lines one by one, those of a batch too. */
export function singlesOf(event: KnownEvent): readonly SingleEvent[] {
  return event.type === 'batch' ? event.events : [event]
}

function ownLine(event: KnownEvent): NewLine {
  return { id: event.id, text: JSON.stringify(event), event }
}
