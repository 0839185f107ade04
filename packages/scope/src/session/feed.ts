// News of sessions on the bus, after their logs have them, under the events' own ids and at least once: what a killed
// writer did not tell, the next one does.
import { readStored } from '@switchyard/ground/disk'
import { join } from '@switchyard/ground/machine'
import { writePlainFile } from '@switchyard/ground/plain-file'
import { parseRecord, readLines } from '@switchyard/jsonl'
import { busExists, type Draft, postMessages, type Store } from '@switchyard/topic'
import { feedTopic, sessionTopic } from './bus-topics.ts'
import { isSessionEvent } from './event.check.ts'
import type { SessionEvent } from './event-schema.ts'
import { renderEvent } from './render-event.ts'
import { eventsFile, sessionFolder } from './scope-store.ts'

/** Posts the events of a session that the bus has not heard of. The log has been flushed; the feed need not be. */
export async function publish(bus: Store, store: Store, id: string): Promise<void> {
  if (!busExists(bus)) return
  const mark = join(sessionFolder(store, id), 'published')
  const told = Number(readStored(mark) ?? 0) || 0
  let end = told
  const news: SessionEvent[] = []
  for (const line of readLines(eventsFile(store, id))) {
    if (line.end <= told) continue
    end = line.end
    const event = parseRecord(line)
    if (event !== undefined && isSessionEvent(event)) news.push(event)
  }
  if (end === told) return
  for (const event of news) {
    for (const topic of [feedTopic, sessionTopic(id)]) {
      await postMessages(bus, topic, [messageOf(event)], event.at, { durable: false })
    }
  }
  writePlainFile(mark, `${end}\n`)
}

const messageOf = (event: SessionEvent): Omit<Draft, 'topic'> => ({
  id: event.id,
  from: `scope-${event.session}`,
  body: renderEvent(event),
  data: event,
})
