import type { Store } from '@switchyard/topic'
import { countUnread, type Progressed } from './consume.ts'
import type { CursorSummary } from './schemas.ts'

/** A consumer's place in a topic, and how many messages lie behind it. */
export function summariseCursor(
  store: Store,
  { consumer, topic, at, ...progressed }: Progressed & { consumer: string; topic: string; at: number | null },
): CursorSummary {
  const unread = countUnread({ store, topic, cursor: progressed })
  return { v: 1, consumer, topic, id: progressed.id, at, unread }
}
