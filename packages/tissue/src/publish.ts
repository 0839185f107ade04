// The bus hears of each change after the log has it, under the event's own id.
import { type Draft, postMessages, type Store } from '@switchyard/topic'
import type { SingleEvent } from './event-schema.ts'
import { renderEvent } from './render-event.ts'

/**
 * A message's fields have to stay far below the 32 KB of a line; a longer event is named and left to be read from the
 * log.
 */
const dataLengthMax = 16_000

/**
 * Posts each event to `tissue:feed` and `issue:<id>`; `now` is milliseconds since 1970. The log has been flushed to the
 * disk; the feed need not be.
 */
export async function publishEvents(bus: Store, events: readonly SingleEvent[], now: number): Promise<void> {
  for (const [topic, messages] of byTopic(events)) await postMessages(bus, topic, messages, now, { durable: false })
}

function byTopic(events: readonly SingleEvent[]): Map<string, Omit<Draft, 'topic'>[]> {
  const topics = new Map<string, Omit<Draft, 'topic'>[]>()
  for (const event of events) {
    const message = { id: event.id, from: event.by, body: renderEvent(event), data: dataOf(event) }
    for (const topic of 'issue' in event ? ['tissue:feed', `issue:${event.issue}`] : ['tissue:feed']) {
      const messages = topics.get(topic)
      if (messages) messages.push(message)
      else topics.set(topic, [message])
    }
  }
  return topics
}

function dataOf(event: SingleEvent): unknown {
  if (JSON.stringify(event).length <= dataLengthMax) return event
  const { v, id, seq, at, by, type } = event
  return { v, id, seq, at, by, type, cut: true, ...('issue' in event ? { issue: event.issue } : {}) }
}
