import { postMessage, type Store } from '@switchyard/topic'
import { type GivenOpinion, opinionSchema } from './opinion-schema.ts'
import { type Subject, topicOf } from './read-reviews.ts'

/** Records what was answered as evidence on the topic of the work, where there is one; gives it its id. */
export async function recordOpinion(
  store: Store,
  subject: Subject | undefined,
  opinion: Omit<GivenOpinion, 'id'>,
  now: number,
): Promise<GivenOpinion> {
  const topic = subject && topicOf(subject)
  if (topic === undefined) return { id: null, ...opinion }
  const heading = `[opinion] ${opinion.with.split('\n')[0]}: ${opinion.error ?? opinion.outcome}`
  const body = opinion.text === '' ? heading : `${heading}\n\n${opinion.text}`
  const { id } = await postMessage(store, { topic, from: opinion.by, body, data: opinionSchema.parse(opinion) }, now)
  return { id, ...opinion }
}
