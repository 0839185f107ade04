import { type Entry, type Message, readMessages, readMessagesBackwards, type Store } from '@switchyard/topic'
import { findMessage } from './store.ts'

/** Which messages are meant; `since` is milliseconds since 1970. */
export type Filter = { from: string | undefined; since: number | undefined }

type Query = { store: Store; topic: string; limit: number; filter: Filter; onSkipped: () => void }

/** How far senders' clocks may disagree before `--since` misses a message: the search ends at one older by this much. */
const clockSkewMs = 10 * 60_000

/** Whether a message passes the filter. */
export function isMeant({ from, at }: Message, filter: Filter): boolean {
  return (filter.from === undefined || from === filter.from) && (filter.since === undefined || at >= filter.since)
}

function isFarTooOld({ at }: Message, { since }: Filter): boolean {
  return since !== undefined && at < since - clockSkewMs
}

function* backwards({ store, topic, filter, onSkipped }: Query): Generator<Message> {
  for (const { message } of readMessagesBackwards(store, topic, { onSkipped })) {
    if (isFarTooOld(message, filter)) return
    if (isMeant(message, filter)) yield message
  }
}

function take(messages: Iterable<Message>, limit: number): Message[] {
  const taken: Message[] = []
  for (const message of messages) {
    taken.push(message)
    if (taken.length >= limit) break
  }
  return taken
}

/** The newest `limit` messages, oldest first; reads the log from its end and no further than needed. */
export function selectNewest(query: Query): Message[] {
  return take(backwards(query), query.limit).reverse()
}

function* forwards({ store, topic, filter, onSkipped }: Query, start: Entry): Generator<Message> {
  const from = { inode: start.line.inode, offset: start.line.end }
  for (const { message } of readMessages(store, topic, { from, onSkipped })) if (isMeant(message, filter)) yield message
}

/** The `limit` messages that follow the message `after` in the log, oldest first: a reader that asks again with the last id misses none. */
export function selectAfter({ after, ...query }: Query & { after: string }): Message[] {
  const start = findMessage(query.store, after, query.topic)
  return take(forwards(query, start), query.limit)
}
