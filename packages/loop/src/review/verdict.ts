import type { Store } from '@switchyard/topic'
import type { Git } from '../git.ts'
import type { GitPlace } from '../git-place.ts'
import { readEvents } from '../state/journal.ts'
import { readChange } from './change.ts'
import { judgeReviews, type Verdict } from './judge.ts'
import { readReviews, type Subject, topicOf } from './read-reviews.ts'
import type { PostedReview } from './review-schema.ts'

/** Where the change is: the worktree, and the base that it is to land on, as a branch or a commit. */
export type ReviewPlace = { store: Store; git: Git; at: GitPlace; base: string }

/**
 * What the reviews say of the commit that the worktree is at: the gate in front of every landing, for `reduce`. It
 * stays open over a clean rebase. Reviews by the run's own workers, and those made before the run, do not count.
 */
export async function reviewVerdict(place: ReviewPlace, subject: Subject & { run: string }): Promise<Verdict> {
  const change = await readChange(place, place.base, 'HEAD')
  return { ...judgeReviews(countingReviews(place.store, subject), change), seen: change.change ?? change.sha }
}

/** Who is at work in a run, and when it began, in milliseconds since 1970. */
export function readAuthors(store: Store, run: string): { workers: ReadonlySet<string>; startedAt: number } {
  const workers = new Set<string>()
  let startedAt = Number.POSITIVE_INFINITY
  for (const { event, at } of readEvents(store, run)) {
    if (event.event === 'started') startedAt = at
    if ('worker' in event) workers.add(event.worker)
  }
  return { workers, startedAt }
}

/**
 * The reviews that count, oldest first. One that names its run counts in that run alone; of those that name none, a
 * person's for one, the clock decides whether they were made in time.
 */
export function countingReviews(store: Store, subject: Subject): PostedReview[] {
  const topic = topicOf(subject)
  const posted = topic === undefined ? [] : readReviews(store, topic)
  const { run } = subject
  const all = posted.map(({ review }) => review)
  if (run === null || all.length === 0) return all
  const { workers, startedAt } = readAuthors(store, run)
  const isInTime = (at: number, review: PostedReview) => (review.run === null ? at >= startedAt : review.run === run)
  return posted.flatMap(({ at, review }) => (isInTime(at, review) && !workers.has(review.by) ? [review] : []))
}
