import { orRefusedLater } from '@switchyard/ground/disk'
import { transact } from '@switchyard/jsonl'
import type { Store } from '@switchyard/topic'
import { findMessage } from '../message/find-message.ts'
import { requireTopic } from '../store/store.ts'
import { atEnd, atStart, behindMessage, type Progressed } from './consume.ts'
import { cursorPath, listCursors, makeCursorFolder, removeCursor, unknownConsumer, writeCursor } from './cursor-file.ts'
import { summariseCursor } from './cursor-summary.ts'
import type { CursorSummary } from './schemas.ts'

type Move = { topic: string; place: (() => Progressed) | undefined }

/** Where the consumer is to go, topic by topic; no place means that it is forgotten. */
function movesOf(store: Store, consumer: string, topic: string | undefined, to: string): Move[] {
  if (to !== 'none' && to !== 'start' && to !== 'end') {
    const entry = findMessage(store, to, topic)
    return [{ topic: entry.message.topic, place: () => behindMessage(store, entry) }]
  }
  if (topic !== undefined) requireTopic(store, topic)
  const topics = topic === undefined ? listCursors(store, consumer).map((cursor) => cursor.topic) : [topic]
  if (topics.length === 0) throw unknownConsumer(store, consumer)
  if (to === 'none') return topics.map((name) => ({ topic: name, place: undefined }))
  return topics.map((name) => ({ topic: name, place: to === 'end' ? () => atEnd(store, name) : atStart }))
}

async function moveTo(
  store: Store,
  consumer: string,
  { topic, place }: Move,
  now: () => number,
): Promise<CursorSummary> {
  const path = cursorPath(store, consumer, topic)
  makeCursorFolder(path)
  const move = () => {
    if (place === undefined) {
      removeCursor(path)
      return summariseCursor(store, { consumer, topic, at: null, ...atStart() })
    }
    const at = now()
    const progressed = place()
    writeCursor(path, { v: 1, consumer, topic, at, ...progressed })
    return summariseCursor(store, { consumer, topic, at, ...progressed })
  }
  return orRefusedLater(`${path} was to be kept`, () => transact(path, move))
}

/**
 * Moves a consumer in one topic, or in all that it has read: behind a message, to `start` or `end`; `none` forgets it.
 */
export async function moveConsumer(
  store: Store,
  { consumer, topic, to }: { consumer: string; topic: string | undefined; to: string },
  now: () => number,
): Promise<CursorSummary[]> {
  const moved: CursorSummary[] = []
  for (const move of movesOf(store, consumer, topic, to)) moved.push(await moveTo(store, consumer, move, now))
  return moved
}
