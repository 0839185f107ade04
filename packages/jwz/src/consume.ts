// What a consumer reads next, and what it has then read.
import { type From, offsetsOf, type Place, placesAtEnd, progressAt } from '@switchyard/jsonl'
import {
  type Entry,
  type Message,
  type OnSkipped,
  readMessages,
  readMessagesBackwards,
  type Store,
  topicPath,
} from '@switchyard/topic'
import type { ConsumerCursor } from './consumer-schemas.ts'
import type { Filter } from './filter.ts'

/** Ids a cursor remembers: these never come again, however the files of the log were replaced. */
const recentMax = 1000

/** What a consumer has read of a topic. */
export type Progressed = Pick<ConsumerCursor, 'id' | 'files' | 'recent'>

type Source = { store: Store; topic: string; cursor: Progressed | undefined; onSkipped?: OnSkipped }

/** The messages that a consumer has not committed, oldest first. `pass` is called with every place left behind. */
function* unread({ store, topic, cursor, onSkipped }: Source, pass: (place: Place) => void): Generator<Message> {
  const offsetIn = offsetsOf(cursor?.files ?? [])
  const from: From = (segment) => {
    const offset = offsetIn(segment)
    pass({ inode: segment.inode, offset })
    return offset
  }
  const recent = new Set(cursor?.recent)
  const skip: OnSkipped = (line) => {
    pass({ inode: line.inode, offset: line.end })
    onSkipped?.(line)
  }
  const options = { from, onSkipped: skip, voidToo: true }
  for (const { message, line, isVoid } of readMessages(store, topic, options)) {
    pass({ inode: line.inode, offset: line.end })
    if (!isVoid && !recent.has(message.id)) yield message
  }
}

/**
 * The next `limit` messages of a consumer that are wanted, and what it has read once these are committed; undefined
 * when there was nothing new.
 */
export function readNext(source: Source & { limit: number; filter: Filter }): {
  messages: Message[]
  progress: () => Progressed | undefined
} {
  const offsets = new Map<number, number>()
  const messages: Message[] = []
  const passed: string[] = []
  for (const message of unread(source, ({ inode, offset }) => offsets.set(inode, offset))) {
    passed.push(message.id)
    if (source.filter.isMeant(message)) messages.push(message)
    if (messages.length === source.limit) break
  }
  return { messages, progress: () => (passed.length === 0 ? undefined : progressed(source, offsets, passed)) }
}

function progressed(
  { store, topic, cursor }: Source,
  offsets: ReadonlyMap<number, number>,
  passed: readonly string[],
): Progressed {
  const places = Array.from(offsets, ([inode, offset]) => ({ inode, offset }))
  const files = progressAt(topicPath(store, topic), places)
  const isReplaced = places.length > 0 && files.at(-1)?.inode !== places.at(-1)?.inode
  // The file that was read is another by now, with the same content up to the place before: from there ids tell.
  const before = isReplaced ? (cursor?.files.slice(-1) ?? []) : []
  return {
    id: passed.at(-1) ?? cursor?.id ?? null,
    files: [...files, ...before],
    recent: [...(cursor?.recent ?? []), ...passed].slice(-recentMax),
  }
}

/** How many messages a consumer has not committed. */
export function countUnread(source: Source): number {
  let count = 0
  for (const _ of unread(source, () => undefined)) count += 1
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
  const path = topicPath(store, topic)
  // First the ids: of what comes in between, none may count as read while its place is not.
  const recent = idsUpTo(store, topic)
  const files = progressAt(path, placesAtEnd(path))
  return { id: recent.at(-1) ?? null, files, recent }
}

/** As if everything up to this message, it included, had been read. */
export function behindMessage(store: Store, { message, line }: Entry): Progressed {
  const path = topicPath(store, message.topic)
  const places: Place[] = []
  for (const place of placesAtEnd(path)) {
    const isHere = place.inode === line.inode
    places.push(isHere ? { inode: line.inode, offset: line.end } : place)
    if (isHere) break
  }
  return { id: message.id, files: progressAt(path, places), recent: idsUpTo(store, message.topic, message.id) }
}

/** As if nothing had been read. */
export function atStart(): Progressed {
  return { id: null, files: [], recent: [] }
}
