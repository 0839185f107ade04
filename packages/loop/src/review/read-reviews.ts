import { busExists, readMessages, type Store } from '@switchyard/topic'
import { runTopic } from '../record/journal.ts'
import { type PostedReview, reviewSchema } from './review-schema.ts'

/** What reviews and opinions are about: an issue, or the task of a run. */
export type Subject = { issue: string; run: string | null }

/** The `issue` of a run that works a task. */
export const taskIssue = 'task'

/** Where it is spoken about. Undefined for a task without its run. */
export function topicOf({ issue, run }: Subject): string | undefined {
  if (issue !== taskIssue) return `issue:${issue}`
  return run === null ? undefined : runTopic(run)
}

/**
 * The reviews on a topic, oldest first, whoever wrote them. What names another author than the one who posted it is
 * none.
 */
export function readReviews(store: Store, topic: string): PostedReview[] {
  if (!busExists(store)) return []
  const found: PostedReview[] = []
  for (const { message } of readMessages(store, topic)) {
    const { success, data } = reviewSchema.safeParse(message.data)
    if (success && data.by === message.from) found.push({ id: message.id, ...data })
  }
  return found
}
