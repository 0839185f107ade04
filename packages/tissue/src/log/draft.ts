// Events on their way into the log. A verb decides on drafts, pure; the store adds what only the section can know.
import type { KnownEvent, SingleEvent } from './event-schema.ts'
import type { Ledger } from './fold.ts'
import { seqMax } from './guard.ts'
import { heirOf, type Overwritten } from './overwritten.ts'

type Stamped = 'v' | 'id' | 'seq' | 'at' | 'by' | 'replaces' | 'renewal' | 'supersedes' | 'ends'
type WithoutStamp<E> = E extends SingleEvent ? Omit<E, Stamped> : never

/** An event before it has its id, place in time and author, and knows what it overwrites. */
export type Draft = WithoutStamp<SingleEvent>

/**
 * Drafts that become one line: all of them are in the log or none, whenever the writer is killed. `made` are the same
 * drafts as events, for those that name each other, such as a claim and what is done under it.
 */
type DraftBatch = {
  readonly type: 'batch'
  readonly drafts: readonly Draft[]
  readonly made?: readonly SingleEvent[]
}

/** An event that was made elsewhere and goes in as it is. */
export type ForeignLine = { readonly id: string; readonly seq: number; readonly type: string; readonly line: string }

/** What a verb wants in the log. */
export type Entry = Draft | DraftBatch | ForeignLine

/** What writes these drafts all or none, whenever the writer is killed. */
export function asOne(drafts: readonly Draft[]): Entry[] {
  return drafts.length > 1 ? [{ type: 'batch', drafts }] : [...drafts]
}

/** Who writes, when, and where ids come from. */
export type Author = { readonly by: string; readonly now: () => number; readonly ulid: (now: number) => string }

/** A line to append; `event` is there for those of our own making. */
export type NewLine = { readonly id: string; readonly text: string; readonly event?: KnownEvent }

/** The lines that these entries become behind the log that `ledger` is the fold of, in the same order. */
export function writeLines(entries: readonly Entry[], ledger: Ledger, author: Author): NewLine[] {
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
    return { ...stamped, ...draft, ...heirOf(ledger, overwritten, draft, stamped) }
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

/** The drafts among these entries one by one, those of a batch too; lines that were made elsewhere have none. */
export function draftsOf(entries: readonly Entry[]): Draft[] {
  return entries.flatMap((entry) => ('line' in entry ? [] : entry.type === 'batch' ? entry.drafts : entry))
}

/** The events of these lines one by one, those of a batch too. */
export function singlesOf(event: KnownEvent): readonly SingleEvent[] {
  return event.type === 'batch' ? event.events : [event]
}

function ownLine(event: KnownEvent): NewLine {
  return { id: event.id, text: JSON.stringify(event), event }
}
