// Who has acknowledged what.
import { type Entry, isExpired, type Message, readMessages, type Store } from '@switchyard/topic'

/** Who is meant when a message is addressed to everybody. */
export const everybody = 'all'

/** A message that somebody it is addressed to has not acknowledged. */
export type Pending = Message & { acked: string[]; pending: string[] }

/** Names of those who have acknowledged a message, in the order in which they did. Reads what follows it. */
export function ackedBy(store: Store, { message, line }: Entry): string[] {
  const names = new Set<string>()
  const onAck = (ack: { message: string; from: string }) => {
    if (ack.message === message.id) names.add(ack.from)
  }
  const from = { inode: line.inode, offset: line.end }
  for (const _ of readMessages(store, message.topic, { from, onAck }));
  return [...names]
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
