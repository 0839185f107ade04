// Events on their way into the log, as a verb decides on them.
import type { SingleEvent } from '../schema/event-schema.ts'

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
export type NewEntry = Draft | DraftBatch | ForeignLine

/** What writes these drafts all or none, whenever the writer is killed. */
export function asOne(drafts: readonly Draft[]): NewEntry[] {
  return drafts.length > 1 ? [{ type: 'batch', drafts }] : [...drafts]
}

/** The drafts among these entries one by one, those of a batch too; lines that were made elsewhere have none. */
export function draftsOf(entries: readonly NewEntry[]): Draft[] {
  return entries.flatMap((entry) => ('line' in entry ? [] : entry.type === 'batch' ? entry.drafts : entry))
}
