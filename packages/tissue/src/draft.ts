// Events on their way into the log. A verb decides on drafts, pure; the store adds what only the section can know.
import { seqMax } from './guard.ts'
import type { KnownEvent } from './schemas.ts'

type Stamped = 'v' | 'id' | 'seq' | 'at' | 'by'
type WithoutStamp<E> = E extends KnownEvent ? Omit<E, Stamped> : never

/** An event before it has its id, place in time and author. */
export type Draft = WithoutStamp<KnownEvent>

/** An event that was made elsewhere and goes in as it is. */
export type ForeignLine = { readonly id: string; readonly seq: number; readonly type: string; readonly line: string }

/** Who writes, when, and where ids come from. */
export type Author = { readonly by: string; readonly now: () => number; readonly ulid: (now: number) => string }

/** A line to append; `event` is there for those of our own making. */
export type NewLine = { readonly id: string; readonly text: string; readonly event?: KnownEvent }

/** The lines that these entries become in a log whose largest sequence number is `maxSeq`, in the same order. */
export function writeLines(entries: readonly (Draft | ForeignLine)[], maxSeq: number, author: Author): NewLine[] {
  const at = author.now()
  let seq = maxSeq
  return entries.map((entry) => {
    if ('line' in entry) {
      seq = Math.max(seq, entry.seq)
      return { id: entry.id, text: entry.line }
    }
    // Whatever is in the log already: at the end of the numbers the ids decide, which grow with time.
    seq = Math.min(seq + 1, seqMax)
    const event: KnownEvent = { v: 1, id: author.ulid(at), seq, at, by: author.by, ...entry }
    return { id: event.id, text: JSON.stringify(event), event }
  })
}
