import type { Env } from '@switchyard/ground/state-folder'
import type { Store } from '@switchyard/topic'
import type { Git } from '../programs/git.ts'
import type { GitPlace } from '../programs/git-place.ts'
import { readEvents } from '../record/journal.ts'
import type { Session } from '../state/event-schema.ts'
import { readChange } from './change.ts'
import { judgeReviews, type ReviewVerdict } from './judge.ts'
import { readReviews, type Subject, taskIssue, topicOf } from './read-reviews.ts'
import type { PostedReview } from './review-schema.ts'
import { isProven, isTaken } from './signed-review.ts'

/** Where the change is: the worktree, and the base that it is to land on, as a branch or a commit. */
export type ReviewPlace = Taking & { git: Git; at: GitPlace; base: string }

/** Whose verdicts are taken: those of the reviewer alone where there is one. `env` names the key of this machine. */
export type Taking = { store: Store; env: Env; reviewer: string | undefined }

/**
 * What the reviews say of the commit that the worktree is at: the gate in front of every landing, for `reduce`. It
 * stays open over a clean rebase. Reviews by the run's own workers, and those made before the run, do not count.
 */
export async function reviewVerdict(place: ReviewPlace, subject: Subject & { run: string }): Promise<ReviewVerdict> {
  const change = await readChange(place, place.base, 'HEAD')
  return { ...judgeReviews(countingReviews(place, subject), change), seen: change.change ?? change.sha }
}

type Authors = { workers: ReadonlySet<string>; sessions: ReadonlySet<string>; startedAt: number }

/** Who is or was at work in a run, sessions as `HOST:ID`, and when it began, in milliseconds since 1970. */
export function readAuthors(store: Store, run: string): Authors {
  const workers = new Set<string>()
  const sessions = new Set<string>()
  let startedAt: number | undefined
  for (const { event, at } of readEvents(store, run)) {
    if (event.event === 'started') startedAt ??= at
    if ('session' in event && event.session !== undefined) sessions.add(nameOf(event.session))
    if ('worker' in event) workers.add(event.worker)
  }
  return { workers, sessions, startedAt: startedAt ?? Number.POSITIVE_INFINITY }
}

/** A session as verdicts name it. */
export const nameOf = ({ host, id }: Session) => `${host}:${id}`

/**
 * The reviews that count, oldest first: those that loop has taken, each once. One that names its run counts in that run
 * alone; of those that name none, a person's for one, the clock decides whether they were made in time. None counts of
 * a session that works or worked the run, whatever its record said when it was made, nor of nobody that could be told.
 * `token`: those count too that the reviewer posted which was started with it.
 */
export function countingReviews({ store, env, reviewer }: Taking, subject: Subject, token?: string): PostedReview[] {
  const topic = topicOf(subject)
  const posted = topic === undefined ? [] : readReviews(store, topic)
  const { run } = subject
  const isProvenBy = (review: PostedReview) => token !== undefined && isProven(review, token)
  const issue = subject.issue === taskIssue ? null : subject.issue
  const ofThis = posted.filter((review) => review.issue === issue)
  const taken = ofThis.filter((review) => isTaken(review, env) || isProvenBy(review))
  const once = taken.filter(
    ({ signature }, at) => taken.findIndex((other) => other.signature === signature) === at || !signature,
  )
  const ours = once.filter((review) => reviewer === undefined || review.origin === 'reviewer' || isProvenBy(review))
  if (run === null || ours.length === 0) return ours
  const { workers, sessions, startedAt } = readAuthors(store, run)
  const isByAuthor = (review: PostedReview) =>
    workers.has(review.by) || (review.sessions ?? []).some((session) => sessions.has(session))
  const isInTime = ({ run: of, at = 0 }: PostedReview) => (of === null ? at >= startedAt : of === run)
  return ours.filter((review) => review.origin !== 'script' && isInTime(review) && !isByAuthor(review))
}
