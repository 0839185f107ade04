import { Failure } from '@switchyard/ground/failure'
import { postMessage, type Store } from '@switchyard/topic'
import { findEvidence } from './evidence.ts'
import { selfReview } from './poster.ts'
import { type Subject, topicOf } from './read-reviews.ts'
import type { PostedReview, Review } from './review-schema.ts'
import { readAuthors } from './verdict.ts'

/**
 * Posts a verdict, with the line that people and older tools look for as its body. Failure `conflict` when a worker
 * reviews its own work, `usage` for one that asks for changes and does not say which, `notFound` for a second opinion
 * that nobody gave.
 */
export async function postReview(store: Store, subject: Subject, review: Review, now: number): Promise<PostedReview> {
  const topic = topicOf(subject)
  if (topic === undefined) throw new Failure('usage', 'expected the run of the task, got none')
  if (review.verdict === 'changes' && review.note.trim() === '') {
    throw new Failure('usage', 'expected to hear what is to be changed, got nothing', {
      hint: "give -m 'what to change'",
    })
  }
  if (subject.run !== null && readAuthors(store, subject.run).workers.has(review.by)) {
    throw selfReview()
  }
  const given = new Set(findEvidence(store, subject).map(({ id }) => id))
  const unknown = review.second_opinions.find((id) => !given.has(id))
  if (unknown !== undefined) {
    throw new Failure('notFound', `expected a second opinion that was given on this, ${unknown} is none`, {
      hint: 'loop ask prints the ids of what it records',
    })
  }
  const line = `[review] ${review.verdict === 'lgtm' ? 'LGTM' : 'CHANGES_REQUESTED'} sha:${review.sha}`
  const body = review.note === '' ? line : `${line}\n\n${review.note}`
  const { id } = await postMessage(store, { topic, from: review.by, body, data: review }, now)
  return { id, ...review }
}
