// What a consumer reads next, and what it has then read.
import { Failure } from '@switchyard/ground/failure'
import { progressAtEnd, progressBehind, type Reading, readOn } from '@switchyard/jsonl'
import {
  type Entry,
  type Message,
  type OnSkipped,
  readMessages,
  readMessagesBackwards,
  type Store,
  topicPath,
} from '@switchyard/topic'
import type { Filter } from '../message/filter.ts'
import type { ConsumerCursor } from './schemas.ts'

/** Ids a cursor remembers: these never come again, however the files of the log were replaced. */
const recentMax = 1000

/** What a consumer has read of a topic. */
export type Progressed = Pick<ConsumerCursor, 'id' | 'files' | 'recent'>

type ConsumerSource = { store: Store; topic: string; cursor: Progressed | undefined; onSkipped?: OnSkipped }

function readingOf({ cursor }: ConsumerSource): Reading {
  return readOn(cursor?.files ?? [])
}

/** The messages that a consumer has not committed, oldest first; the reading passes every line on the way. */
function* unread({ store, topic, cursor, onSkipped }: ConsumerSource, reading: Reading): Generator<Message> {
  const recent = new Set(cursor?.recent)
  const skip: OnSkipped = (line) => {
    reading.pass(line.end)
    onSkipped?.(line)
  }
  const options = { from: reading, onSkipped: skip, voidToo: true }
  for (const { message, line, isVoid } of readMessages(store, topic, options)) {
    reading.pass(line.end)
    if (!isVoid && !recent.has(message.id)) yield message
  }
}

/**
 * The next `limit` messages of a consumer that are wanted, and what it has read once these are committed; undefined
 * when there was nothing new.
 */
export function readNext(source: ConsumerSource & { limit: number; filter: Filter }): {
  messages: Message[]
  progress: () => Progressed | undefined
} {
  const reading = readingOf(source)
  const messages: Message[] = []
  const passed: string[] = []
  for (const message of unread(source, reading)) {
    passed.push(message.id)
    if (source.filter.isMeant(message)) messages.push(message)
    if (messages.length === source.limit) break
  }
  return { messages, progress: () => (passed.length === 0 ? undefined : progressed(source, reading, passed)) }
}

function progressed({ cursor }: ConsumerSource, reading: Reading, passed: readonly string[]): Progressed {
  return {
    id: passed.at(-1) ?? cursor?.id ?? null,
    files: reading.progress(),
    recent: [...(cursor?.recent ?? []), ...passed].slice(-recentMax),
  }
}

/** How many messages a consumer has not committed. */
export function countUnread(source: ConsumerSource): number {
  let count = 0
  for (const _ of unread(source, readingOf(source))) count += 1
  return count
}

function idsUpTo(store: Store, topic: string, last?: string): string[] {
  const ids: string[] = []
  let isBehind = last !== undefined
  for (const { message } of readMessagesBackwards(store, topic)) {
    if (message.id === last) isBehind = false
    if (!isBehind) ids.push(message.id)
    if (ids.length === recentMax) break
  }
  return ids.reverse()
}

/** As if everything that is there now had been read. */
export function atEnd(store: Store, topic: string): Progressed {
  // First the ids: of what comes in between, none may count as read while its place is not.
  const recent = idsUpTo(store, topic)
  return { id: recent.at(-1) ?? null, files: progressAtEnd(topicPath(store, topic)), recent }
}

/** As if everything up to this message, it included, had been read. Failure `conflict` when its file was replaced. */
export function behindMessage(store: Store, { message: { id, topic }, line }: Entry): Progressed {
  const files = progressBehind(topicPath(store, topic), line)
  if (files) return { id, files, recent: idsUpTo(store, topic, id) }
  throw new Failure(
    'conflict',
    `the file of ${topic} was expected to stay while ${id} was looked up, it was replaced`,
    {
      hint: 'try again',
    },
  )
}

/** As if nothing had been read. */
export function atStart(): Progressed {
  return { id: null, files: [], recent: [] }
}
