// Who has acknowledged what.
import { findLinesBackwards, parseRecord } from '@switchyard/jsonl'
import { type Entry, isAck, isExpired, type Message, readMessages, type Store, topicPath } from '@switchyard/topic'

/** Who is meant when a message is addressed to everybody. */
export const everybody = 'all'

/** A message that somebody it is addressed to has not acknowledged. */
export type Pending = Message & { acked: string[]; pending: string[] }

/**
 * Names of those who have acknowledged a message, in the order in which they did. Reads what follows it, and parses
 * only the lines that have its id.
 */
export function ackedBy(store: Store, { message, line }: Entry): string[] {
  const names: string[] = []
  const needle = Buffer.from(JSON.stringify(message.id))
  for (const found of findLinesBackwards(topicPath(store, message.topic), [needle])) {
    if (found.inode === line.inode && found.offset <= line.offset) break
    const record = parseRecord(found)
    if (record && isAck(record) && record.message === message.id) names.push(record.from)
  }
  return [...new Set(names.reverse())]
}

/** Who of those a message is addressed to has not acknowledged it; everybody has when anybody but the sender has. */
function waitingFor({ from, to = [] }: Pick<Message, 'from' | 'to'>, acked: readonly string[]): string[] {
  const isAckedByAny = acked.some((name) => name !== from)
  return [...new Set(to)].filter((name) => (name === everybody ? !isAckedByAny : !acked.includes(name)))
}

/** The messages of a topic that wait for somebody, oldest first; `since` and `now` are milliseconds since 1970. */
export function pendingIn(store: Store, topic: string, { since, now }: { since: number; now: number }): Pending[] {
  const asked: Message[] = []
  const acks = new Map<string, Set<string>>()
  const onAck = ({ message, from }: { message: string; from: string }) => {
    const names = acks.get(message)
    if (names) names.add(from)
    else acks.set(message, new Set([from]))
  }
  for (const { message } of readMessages(store, topic, { onAck })) {
    if (message.to && message.at >= since && !isExpired(message, now)) asked.push(message)
  }
  return asked
    .map((message) => ({ message, acked: [...(acks.get(message.id) ?? [])] }))
    .map(({ message, acked }) => ({ ...message, acked, pending: waitingFor(message, acked) }))
    .filter(({ pending }) => pending.length > 0)
}
