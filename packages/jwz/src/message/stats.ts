import { join } from 'node:path'
import { statAt } from '@switchyard/ground/at-path'
import { entriesBelow } from '@switchyard/ground/disk'
import { segmentsOf } from '@switchyard/jsonl'
import { readMessages, type Store, sizeOfTopic, topicPath } from '@switchyard/topic'
import type { Sparing } from '../store/many-topics.ts'

/** How many messages, and when the newest was sent (milliseconds since 1970, by the sender's clock). */
type Count = { messages: number; last_at: number | null }

/** What is on a bus. `bytes` and `segments` are those of the logs; times are milliseconds since 1970. */
export type Stats = {
  v: 1
  store: string
  messages: number
  bytes: number
  segments: number
  first_at: number | null
  last_at: number | null
  files: { count: number; bytes: number }
  topics: (Count & { topic: string; bytes: number })[]
  senders: (Count & { from: string; topics: number })[]
}

type Sender = Count & { topics: Set<string> }

/**
 * Reads every message of the topics once, as a stream. `since` leaves out older ones; sizes are those of everything on
 * disk. Topics and senders come with the busiest first.
 */
export function countStore(
  store: Store,
  topics: readonly string[],
  { since, sparing, onSkipped }: { since: number | undefined; sparing: Sparing; onSkipped: () => void },
): Stats {
  const senders = new Map<string, Sender>()
  let [first, last]: [number | null, number | null] = [null, null]
  const counted = topics.map((topic) => {
    const count: Count = { messages: 0, last_at: null }
    for (const { message } of sparing(topic, () => readMessages(store, topic, { onSkipped }))) {
      if (since !== undefined && message.at < since) continue
      first = Math.min(first ?? message.at, message.at)
      last = Math.max(last ?? message.at, message.at)
      add(count, message.at)
      const sender = senders.get(message.from) ?? { messages: 0, last_at: null, topics: new Set() }
      senders.set(message.from, sender)
      add(sender, message.at)
      sender.topics.add(topic)
    }
    const { length: segments } = segmentsOf(topicPath(store, topic))
    return { topic, ...count, segments, bytes: sizeOfTopic(store, topic) }
  })
  return {
    v: 1,
    store: store.path,
    messages: sum(counted.map(({ messages }) => messages)),
    bytes: sum(counted.map(({ bytes }) => bytes)),
    segments: sum(counted.map(({ segments }) => segments)),
    first_at: first,
    last_at: last,
    files: countFiles(join(store.path, 'blobs'), sparing),
    topics: counted.map(({ segments, ...topic }) => topic).sort(byMessages),
    senders: [...senders].map(([from, sender]) => ({ from, ...sender, topics: sender.topics.size })).sort(byMessages),
  }
}

function add(count: Count, at: number): void {
  count.messages += 1
  count.last_at = Math.max(count.last_at ?? at, at)
}

function byMessages(left: Count, right: Count): number {
  return right.messages - left.messages
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function sizeOf(path: string): number {
  return statAt(path)?.size ?? 0
}

/** Bodies and attachments that lie beside the logs. */
function countFiles(folder: string, sparing: Sparing): { count: number; bytes: number } {
  const files = [...sparing(folder, () => entriesBelow(folder))].filter((entry) => entry.isFile())
  return { count: files.length, bytes: sum(files.map((file) => sizeOf(join(file.parentPath, file.name)))) }
}
