import { orRefusedLater, readStored } from '@switchyard/ground/disk'
import { Failure } from '@switchyard/ground/failure'
import { countMissed, transact } from '@switchyard/jsonl'
import { type Message, type OnSkipped, type Store, topicPath } from '@switchyard/topic'
import type { Filter } from '../message/filter.ts'
import { readNext } from './consume.ts'
import { cursorPath, makeCursorFolder, readCursor, writeCursor } from './cursor-file.ts'
import type { ConsumerCursor } from './schemas.ts'

type ConsumerReading = {
  store: Store
  topic: string
  consumer: string
  limit: number
  filter: Filter
  onSkipped: OnSkipped
  note: (text: string) => void
  print: (messages: readonly Message[]) => void
}

/** What a call gave beside the reading itself. */
type Given = Omit<ConsumerReading, 'consumer'> & {
  consumer: string | undefined
  after: string | undefined
  threads: boolean
}

/**
 * What `read --consumer` does: prints what was not committed, and commits it when asked to. Returns how many messages
 * that were.
 */
export async function readAsConsumer(
  { consumer, after, threads, ...rest }: Given,
  isCommitted: boolean,
  now: () => number,
): Promise<number> {
  if (consumer === undefined) {
    throw new Failure('usage', '--commit takes --consumer NAME beside it, got none', { hint: 'say who reads' })
  }
  if (after !== undefined) {
    throw new Failure('usage', '--consumer begins where NAME stopped; got --after beside it', {
      hint: '--reset ID moves that place',
    })
  }
  if (threads) throw new Failure('usage', '--consumer prints each message once; got --threads beside it')
  const reading = { ...rest, consumer }
  return isCommitted ? printAndCommit(reading, now) : printUnread(reading)
}

function printUnread({ print, ...reading }: ConsumerReading): number {
  const cursor = readCursor(reading.store, reading.consumer, reading.topic)
  sayMissed(reading, cursor)
  const { messages } = readNext({ ...reading, cursor })
  print(messages)
  return messages.length
}

/**
 * Processes with the same consumer take turns, from the look at its place to the commit, so each message goes to one of
 * them; it comes again only when that one was killed, or lost its reader, before the commit. Failure `lockTimeout` when
 * another's turn lasts for more than 10 s, `conflict` when the place was moved from outside meanwhile.
 */
async function printAndCommit({ print, ...reading }: ConsumerReading, now: () => number): Promise<number> {
  const { store, topic, consumer } = reading
  const path = cursorPath(store, consumer, topic)
  makeCursorFolder(path)
  const commit = () => {
    const before = readStored(path)
    const cursor = readCursor(store, consumer, topic)
    const isTold = sayMissed(reading, cursor)
    const { messages, progress } = readNext({ ...reading, cursor })
    print(messages)
    if (readStored(path) !== before) throw movedFailure(consumer, topic)
    // With nothing new the place stays, but its moment moves on, so that nobody is told twice.
    const progressed = progress() ?? (isTold ? cursor : undefined)
    if (progressed) writeCursor(path, { ...progressed, v: 1, consumer, topic, at: now() })
    return messages.length
  }
  return orRefusedLater(`${path} was to be kept`, () => transact(path, commit))
}

/** Says so when messages were dropped unread since the last commit, which takes `compact --force`. */
function sayMissed(
  { store, topic, note }: Omit<ConsumerReading, 'print'>,
  cursor: ConsumerCursor | undefined,
): boolean {
  const missed = cursor === undefined ? 0 : countMissed(topicPath(store, topic), cursor.consumer, cursor.at)
  if (missed > 0) note(`some of ${missed} messages of ${topic} were dropped before ${cursor?.consumer} had read them`)
  return missed > 0
}

function movedFailure(consumer: string, topic: string): Failure {
  return new Failure(
    'conflict',
    `the place of ${consumer} in ${topic} was expected to stay while its messages were printed, it was moved`,
    { hint: 'what was printed is not committed; read again' },
  )
}
