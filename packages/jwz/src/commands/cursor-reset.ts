import { defineVerb } from '@switchyard/cli-kit'
import { orRefusedLater } from '@switchyard/ground/disk'
import { transact } from '@switchyard/jsonl'
import type { Store } from '@switchyard/topic'
import { atEnd, atStart, behindMessage, type Progressed } from '../consumer/consume.ts'
import {
  cursorPath,
  listCursors,
  makeCursorFolder,
  removeCursor,
  unknownConsumer,
  writeCursor,
} from '../consumer/cursor-file.ts'
import { summariseCursor } from '../consumer/cursor-summary.ts'
import type { CursorSummary } from '../consumer/schemas.ts'
import { findMessage } from '../message/find-message.ts'
import { cursorLines } from '../render/cursors.ts'
import { storeFlag } from '../store/flags.ts'
import { openStore, requireTopic } from '../store/store.ts'
import { lookOf } from '../text/message-line.ts'

type Move = { topic: string; place: (() => Progressed) | undefined }

/** Where the consumer is to go, topic by topic; no place means that it is forgotten. */
function movesOf(store: Store, consumer: string, topic: string | undefined, to: string | undefined): Move[] {
  if (to !== undefined && to !== 'start' && to !== 'end') {
    const entry = findMessage(store, to, topic)
    return [{ topic: entry.message.topic, place: () => behindMessage(store, entry) }]
  }
  if (topic !== undefined) requireTopic(store, topic)
  const topics = topic === undefined ? listCursors(store, consumer).map((cursor) => cursor.topic) : [topic]
  if (topics.length === 0) throw unknownConsumer(store, consumer)
  if (to === undefined) return topics.map((name) => ({ topic: name, place: undefined }))
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

/** `jwz cursor reset`: forgets how far a consumer has read, or sets its place. */
export const cursorReset = defineVerb({
  summary: 'Forget how far a consumer has read, or move its place',
  args: [
    { name: 'consumer', summary: 'The consumer' },
    {
      name: 'topic',
      summary: 'Only in this topic; all that it has read when there is none',
      optional: true,
      complete: 'topic',
    },
  ],
  flags: {
    to: { type: 'string', value: 'PLACE', summary: 'Behind this message (its id), or start, or end' },
    ...storeFlag,
  },
  examples: ['jwz cursor reset deploy', 'jwz cursor reset deploy news --to end'],
  async run(call) {
    const { consumer, topic } = call.args
    const store = openStore(call)
    const moved: CursorSummary[] = []
    for (const move of movesOf(store, consumer, topic, call.flags.to))
      moved.push(await moveTo(store, consumer, move, call.now))
    call.output.list(moved, {
      text: cursorLines(moved, lookOf(call.output, call.now())),
      id: ({ topic: name }) => name,
    })
    return undefined
  },
})
