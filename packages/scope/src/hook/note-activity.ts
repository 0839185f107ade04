// The file `activity` of a session, and the news of it. A hint for whoever watches: not in the log, and not flushed.
import { readStored } from '@switchyard/ground/disk'
import { join, pid, renameSync } from '@switchyard/ground/machine'
import { writePlainFile } from '@switchyard/ground/plain-file'
import { ulid } from '@switchyard/ground/ulid'
import { postMessages } from '@switchyard/topic'
import type { Activity } from '../session/activity-schema.ts'
import { feedTopic, sessionTopic } from '../session/bus-topics.ts'
import type { Scribe } from '../session/record.ts'
import { sessionFolder } from '../session/scope-store.ts'

/** Says that the agent does this now; an empty text: nothing. What it does already is not said again. */
export async function noteActivity(scribe: Scribe, session: string, activity: string): Promise<void> {
  const path = join(sessionFolder(scribe.store, session), 'activity')
  if (readStored(path)?.trim() === activity) return
  const draft = `${path}.${pid}.draft`
  writePlainFile(draft, activity === '' ? '' : `${activity}\n`)
  renameSync(draft, path)
  const { bus, now } = scribe
  if (bus === undefined) return
  const at = now()
  const data: Activity = { v: 1, id: ulid(at), at, session, event: 'activity', by: 'hook', activity }
  for (const topic of [feedTopic, sessionTopic(session)]) {
    const message = { id: data.id, from: `scope-${session}`, body: activity || 'rests', data }
    await postMessages(bus, topic, [message], at, { durable: false })
  }
}
