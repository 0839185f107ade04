import { join } from 'node:path'
import { statAt } from '@switchyard/ground/at-path'
import { entriesBelow } from '@switchyard/ground/disk'
import { segmentsOf } from '@switchyard/jsonl'
import { readMessages, type Store, sizeOfTopic, topicPath } from '@switchyard/topic'
import type { Sparing } from '../store/many-topics.ts'

/** `bytes` and `segments` are those of the log; times are milliseconds since 1970, by the senders' clocks. */
export type TopicSummary = {
  topic: string
  messages: number
  bytes: number
  segments: number
  first_at: number | null
  last_at: number | null
  last_from: string | null
}

/** Reads a topic once, as a stream: its messages, those older than `since` left out, the first and the newest. */
export function summariseTopic(
  store: Store,
  topic: string,
  { since = Number.NEGATIVE_INFINITY, onSkipped }: { since: number | undefined; onSkipped: () => void },
): TopicSummary {
  const summary: TopicSummary = {
    topic,
    messages: 0,
    bytes: sizeOfTopic(store, topic),
    segments: segmentsOf(topicPath(store, topic)).length,
    first_at: null,
    last_at: null,
    last_from: null,
  }
  for (const { message } of readMessages(store, topic, { onSkipped })) {
    if (message.at < since) continue
    summary.messages += 1
    summary.first_at ??= message.at
    summary.last_at = message.at
    summary.last_from = message.from
  }
  return summary
}

/** Bodies and attachments that lie beside the logs. */
export function countFiles(store: Store, sparing: Sparing): { count: number; bytes: number } {
  const folder = join(store.path, 'blobs')
  const files = [...sparing(folder, () => entriesBelow(folder))].filter((entry) => entry.isFile())
  const sizes = files.map((file) => statAt(join(file.parentPath, file.name))?.size ?? 0)
  return { count: files.length, bytes: sizes.reduce((total, size) => total + size, 0) }
}
