import { offsetsOf } from '@switchyard/jsonl'
import { readMessages, type Store } from '@switchyard/topic'
import { listCursors } from './cursor-file.ts'
import type { ConsumerCursor } from './schemas.ts'

function hasRead(store: Store, { topic, files, recent }: ConsumerCursor, segment: string): boolean {
  const read = new Set(recent)
  const from = { enter: offsetsOf(files) }
  for (const { message, line } of readMessages(store, topic, { from })) {
    if (line.segment === segment && !read.has(message.id)) return false
  }
  return true
}

/**
 * Names of the consumers that have not committed every message of a sealed segment (given by its path), sorted: while
 * there is one, dropping it would skip messages. A consumer counts from its first commit on. Failure `corrupt` on a
 * damaged cursor file.
 */
export function consumersOfSegment(store: Store, topic: string, segment: string): string[] {
  return listCursors(store)
    .filter((cursor) => cursor.topic === topic && !hasRead(store, cursor, segment))
    .map(({ consumer }) => consumer)
}
