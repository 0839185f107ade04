// What is addressed to an agent, and what of it is read.
import { offsetsOf, readOn } from '@switchyard/jsonl'
import { type Entry, type Message, readMessages, type Store } from '@switchyard/topic'
import type { InboxPlace } from './schemas.ts'

/** Ids of read messages that are kept although their place has been passed, should a file be replaced. */
const recentMax = 200
/** Every third of the older places in a file (1, 2, 4 ... KB back) is kept. */
const checkpointsStep = 3

/** Whose inbox, and which messages belong into it. */
export type Reader = { store: Store; agent: string; isMine: (message: Message) => boolean }

/** What is unread in a topic, oldest first, and the ids of what the agent has read or acknowledged there. */
export function unreadIn(
  { store, agent, isMine }: Reader,
  topic: string,
  place: InboxPlace | undefined,
): { unread: Message[]; done: ReadonlySet<string> } {
  const done = new Set(place?.read)
  const from = { enter: offsetsOf(place?.files ?? []) }
  const onAck = (ack: { from: string; message: string }) => {
    if (ack.from === agent) done.add(ack.message)
  }
  const mine: Message[] = []
  for (const { message } of readMessages(store, topic, { from, onAck })) {
    if (isMine(message)) mine.push(message)
  }
  // Only now: an acknowledgement stands behind its message.
  return { unread: mine.filter(({ id }) => !done.has(id)), done }
}

/** All messages of a topic for the agent, oldest first. */
export function allIn({ store, isMine }: Reader, topic: string): Message[] {
  return Array.from(readMessages(store, topic), ({ message }: Entry) => message).filter(isMine)
}

/** What to keep of a topic: a place before the first message that is unread, and what is read behind it. */
export function placeAfter(
  { store, isMine }: Reader,
  topic: string,
  place: InboxPlace | undefined,
  isUnread: (id: string) => boolean,
): InboxPlace {
  const reading = readOn(place?.files ?? [])
  const before = [...(place?.read ?? [])]
  const behind: string[] = []
  let hasUnread = false
  for (const { message, line, isVoid } of readMessages(store, topic, { from: reading, voidToo: true })) {
    const isAddressed = !isVoid && isMine(message)
    hasUnread ||= isAddressed && isUnread(message.id)
    if (!hasUnread) reading.pass(line.end)
    if (isAddressed && !isUnread(message.id)) (hasUnread ? behind : before).push(message.id)
  }
  // Few older places: on a bus with many topics they would be most of the file.
  const files = reading.progress().map(({ checkpoints, ...cursor }) => ({
    ...cursor,
    checkpoints: checkpoints.filter((_, index) => index % checkpointsStep === 0),
  }))
  return { files, read: [...new Set([...before.slice(-recentMax), ...behind])] }
}
