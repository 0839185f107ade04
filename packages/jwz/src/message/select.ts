import { type Glance, glanceBackwards, type Message, readMessages, type Store } from '@switchyard/topic'
import { take } from '../store/take.ts'
import type { Filter } from './filter.ts'
import { findMessage } from './find-message.ts'

/** Where messages are taken from: a topic, and which of them are meant. */
export type MessageSource = { store: Store; topic: string; filter: Filter; onSkipped: () => void }
type Query = MessageSource & { limit: number }

/** How far senders' clocks may disagree: a message older by this much than `--since` counts as far too old. */
const clockSkewMs = 10 * 60_000
/** So many in a row that are far too old end the search; fewer may be of one sender whose clock is wrong. */
const tooOldMax = 100

function isFarTooOld({ at }: { at: number }, { since }: Filter): boolean {
  return since !== undefined && at < since - clockSkewMs
}

/** The messages of a topic that are meant, newest first; reads the log from its end and no further than needed. */
export function* newestFirst(source: MessageSource & { glance?: Glance | undefined }): Generator<Message> {
  const { store, topic, filter, onSkipped, glance } = source
  let tooOld = 0
  for (const entry of glanceBackwards(store, topic, { onSkipped, voidToo: filter.voidToo, glance })) {
    const isParsed = 'message' in entry
    tooOld = isFarTooOld(isParsed ? entry.message : entry, filter) ? tooOld + 1 : 0
    if (tooOld > tooOldMax) return
    if (isParsed && filter.isMeant(entry.message)) yield filter.mark(entry)
  }
}

/** The newest `limit` messages, oldest first. */
export function selectNewest({ limit, ...source }: Query): Message[] {
  return take(newestFirst(source), limit).reverse()
}

/** The messages that are meant of those that follow `after` in the log, oldest first. */
export function* behind({ store, topic, filter, onSkipped }: MessageSource, after: string): Generator<Message> {
  const { line } = findMessage(store, after, topic)
  const from = { inode: line.inode, offset: line.end }
  for (const entry of readMessages(store, topic, { from, onSkipped, voidToo: filter.voidToo }))
    if (filter.isMeant(entry.message)) yield filter.mark(entry)
}

/**
 * The `limit` messages that follow the message `after` in the log, oldest first: a reader that asks again with the last
 * id misses none.
 */
export function selectAfter({ after, limit, ...source }: Query & { after: string }): Message[] {
  return take(behind(source, after), limit)
}
