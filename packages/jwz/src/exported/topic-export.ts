import { isAck, type Message, type Store, withBody } from '@switchyard/topic'
import { forestOf, type Placed } from '../message/forest.ts'
import { renderDay } from '../text/calendar.ts'
import { type ExportFilter, type ExportRecord, exportedRecords } from './records.ts'

/** A topic as a document shows it. Bodies are fetched one at a time, because all of them need not fit into memory. */
export type TopicExport = {
  topic: string
  /** In reading order: each message before its replies. */
  placed: readonly Placed[]
  /** Who acknowledged a message, by its id. */
  acks: ReadonlyMap<string, readonly string[]>
  wholeOf: (message: Message) => Message
  /** Milliseconds since 1970. */
  exportedAt: number
}

function readersOf(records: readonly ExportRecord[]): Map<string, string[]> {
  const readers = new Map<string, string[]>()
  for (const record of records) {
    if (!isAck(record)) continue
    const names = readers.get(record.message) ?? []
    if (!names.includes(record.from)) names.push(record.from)
    readers.set(record.message, names)
  }
  return readers
}

/** Reads a topic for a document. */
export function readTopicExport(
  store: Store,
  topic: string,
  filter: ExportFilter,
  onMissing: (message: Message) => void,
): TopicExport {
  const records = [...exportedRecords(store, topic, filter)]
  const messages = records.flatMap((record) => (isAck(record) ? [] : [record]))
  return {
    topic,
    placed: forestOf(messages),
    acks: readersOf(records),
    wholeOf: (message) => withBody(store, message, onMissing),
    exportedAt: filter.now,
  }
}

/** What a reader wants to know of a topic first. Times are milliseconds since 1970; none where there is no message. */
export type TopicFacts = {
  messages: number
  senders: readonly string[]
  firstAt: number | undefined
  lastAt: number | undefined
}

/** A topic's row in the index of a folder: its facts, and where its document is, from there. */
export type Row = TopicFacts & { topic: string; file: string }

/** Counts a topic's messages and senders, and finds its first and last time. */
export function factsOf({ placed }: TopicExport): TopicFacts {
  let firstAt: number | undefined
  let lastAt: number | undefined
  const senders = new Set<string>()
  for (const { message } of placed) {
    senders.add(message.from)
    firstAt = Math.min(firstAt ?? message.at, message.at)
    lastAt = Math.max(lastAt ?? message.at, message.at)
  }
  return { messages: placed.length, senders: [...senders], firstAt, lastAt }
}

function count(number: number, one: string): string {
  return `${number.toLocaleString('en')} ${one}${number === 1 ? '' : 's'}`
}

/** "12 messages by 3 senders, 21 to 22 November 2026". */
export function factsText({ messages, senders, firstAt, lastAt }: TopicFacts): string {
  const counted = `${count(messages, 'message')} by ${count(senders.length, 'sender')}`
  if (firstAt === undefined || lastAt === undefined) return counted
  const [first, last] = [renderDay(firstAt), renderDay(lastAt)]
  return first === last ? `${counted}, ${first}` : `${counted}, ${first} to ${last}`
}
