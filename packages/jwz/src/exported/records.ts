import { type Ack, isExpired, type Message, readMessages, type Store } from '@switchyard/topic'

/** What an export has of a topic: messages, and who acknowledged them. */
export type ExportRecord = Message | Ack

/** `since` and `now` are milliseconds since 1970; what has expired by now is left out, as readers do. */
export type ExportFilter = { since: number | undefined; now: number; onSkipped: () => void }

/** The records of a topic in the order of its log. */
export function* exportedRecords(
  store: Store,
  topic: string,
  { since, now, onSkipped }: ExportFilter,
): Generator<ExportRecord> {
  const isMeant = ({ at }: { at: number }) => since === undefined || at >= since
  let acks: Ack[] = []
  const onAck = (ack: Ack) => {
    if (isMeant(ack)) acks.push(ack)
  }
  const entries = readMessages(store, topic, { onSkipped, onAck })
  for (const { message } of entries) {
    yield* acks
    acks = []
    if (isMeant(message) && !isExpired(message, now)) yield message
  }
  yield* acks
}
