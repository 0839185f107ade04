import { busExists, readMessages, type Store } from '@switchyard/topic'
import { type Opinion, opinionSchema } from './opinion-schema.ts'
import { type Subject, topicOf } from './read-reviews.ts'

export type Evidence = Opinion & { id: string }

/**
 * The second opinions that were really given on a work, oldest first: what somebody says that others have said is no
 * evidence of it. Of a run, only those that were asked for in it.
 */
export function findEvidence(store: Store, subject: Subject): Evidence[] {
  const topic = topicOf(subject)
  if (topic === undefined || !busExists(store)) return []
  const found: Evidence[] = []
  for (const { message } of readMessages(store, topic)) {
    const { success, data } = opinionSchema.safeParse(message.data)
    const isOfRun = data?.run === subject.run || subject.run === null
    if (success && isOfRun && data.by === message.from && data.outcome === 'done')
      found.push({ id: message.id, ...data })
  }
  return found
}
