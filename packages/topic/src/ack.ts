import { orRefused } from '@switchyard/ground/disk'
import { ulid } from '@switchyard/ground/ulid'
import { appendLine } from '@switchyard/jsonl'
import type { Ack } from './message-schema.ts'
import type { Store } from './store.ts'
import { topicPath } from './store.ts'

/**
 * Appends to a message's topic that `from` has taken it in, and returns the record once it is safely in the log. `now`
 * is milliseconds since 1970. Fails as `failed` when the disk refuses. Twice is harmless: the first counts.
 */
export function postAck(store: Store, draft: Pick<Ack, 'topic' | 'from' | 'message'>, now: number): Ack {
  const { topic, from, message } = draft
  const ack: Ack = { type: 'ack', v: 1, id: ulid(now), at: now, topic, from, message }
  orRefused(`${message} was to be acknowledged`, () => appendLine(topicPath(store, topic), JSON.stringify(ack)))
  return ack
}
