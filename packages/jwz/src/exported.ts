import { parseRecord } from '@switchyard/jsonl'
import { isExpired, type Message, readMessages, type Store } from '@switchyard/topic'

/** Who has read which message, as it stands in the topic's log. */
export type Ack = { type: 'ack'; v: 1; id: string; at: number; topic: string; from: string; message: string }

/** What an export has of a topic: messages, and who acknowledged them. */
export type ExportRecord = Message | Ack

/** `since` and `now` are milliseconds since 1970; what has expired by now is left out, as readers do. */
export type ExportFilter = { since: number | undefined; now: number; onSkipped: () => void }

/** Whether a record says that somebody has read a message. */
export function isAck(record: Record<string, unknown>): record is Ack {
  const { type, v, id, at, topic, from, message } = record
  const isText = (value: unknown) => typeof value === 'string' && value !== ''
  return type === 'ack' && v === 1 && [id, topic, from, message].every(isText) && Number.isFinite(at)
}

/** The records of a topic in the order of its log. */
export function* exportedRecords(
  store: Store,
  topic: string,
  { since, now, onSkipped }: ExportFilter,
): Generator<ExportRecord> {
  const isMeant = ({ at }: { at: number }) => since === undefined || at >= since
  let acks: Ack[] = []
  const entries = readMessages(store, topic, {
    onSkipped: (line) => {
      const record = parseRecord(line)
      if (!record || !isAck(record)) onSkipped()
      else if (isMeant(record)) acks.push(record)
    },
  })
  for (const { message } of entries) {
    yield* acks
    acks = []
    if (isMeant(message) && !isExpired(message, now)) yield message
  }
  yield* acks
}
