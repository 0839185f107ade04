import type { WorkInput } from '../state/work-schema.ts'
import type { Change } from './change.ts'
import type { Review } from './review-schema.ts'

export type ReviewVerdict = Extract<WorkInput, { of: 'review' }>

/**
 * What reviews say of a change, oldest first. Only those count that are of this commit, or of one that makes the same
 * change; of each reviewer the last. One that asks for changes outweighs all that approve.
 */
export function judgeReviews(reviews: readonly Review[], { sha, change }: Change): ReviewVerdict {
  const isOfThis = (review: Review) => review.sha === sha || (change !== null && review.change === change)
  const last = new Map(reviews.filter(isOfThis).map((review) => [review.by, review]))
  const against = [...last.values()].filter(({ verdict }) => verdict === 'changes')
  if (against.length > 0) {
    return { of: 'review', verdict: 'changes', output: against.map(({ by, note }) => `${by}: ${note}`).join('\n') }
  }
  if (last.size > 0) return { of: 'review', verdict: 'approved', output: '' }
  const older = reviews.at(-1)
  if (older === undefined) return { of: 'review', verdict: 'missing', output: howTo(sha) }
  const before = `${older.by} looked at ${older.sha.slice(0, 12)}.`
  return { of: 'review', verdict: 'outdated', output: `${before} ${howTo(sha)}` }
}

function howTo(sha: string): string {
  const who = 'a person, the agent `loop:reviewer` of a session, or the reviewer that loop.json names'
  return `Somebody else has to look at ${sha.slice(0, 12)}: ${who}.`
}
