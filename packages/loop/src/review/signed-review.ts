// Which verdicts loop itself has taken: from a person, from a reviewer that it started, from a reviewer whose end the
// host has told. Anybody can write a line into a topic.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { Failure } from '@switchyard/ground/failure'
import { isSignedHere, type Signed, signatureOf } from '@switchyard/ground/signature'
import type { Env } from '@switchyard/ground/state-folder'
import type { Review } from './review-schema.ts'

/** Whom a verdict was taken from. */
export type Origin = NonNullable<Review['origin']>

/** The verdict with a signature. Failure `failed` where this machine keeps no key: it could never count. */
export function signReview(review: Review, origin: Origin, { env, now }: { env: Env; now: number }): Review {
  const told = { ...review, origin, at: now }
  const signature = signatureOf('verdict', listOf(told), env)
  if (signature !== undefined) return { ...told, signature }
  throw new Failure('failed', "expected a folder for this user's key, none can keep it", { hint: 'set XDG_STATE_HOME' })
}

/** Whether loop took this very verdict. One of a session says of which. */
export function isTaken(review: Review, env: Env): boolean {
  if (review.origin === undefined || (review.origin === 'session' && !review.sessions?.length)) return false
  return isSignedHere('verdict', listOf(review), review.signature, env)
}

/** The verdict as a reviewer posts it that loop has started: only who gave it the token believes it. */
export const withProof = (review: Review, token: string): Review => ({ ...review, proof: proofOf(review, token) })

/** Whether the reviewer that was given this token has posted it. */
export function isProven(review: Review, token: string): boolean {
  const [given, expected] = [Buffer.from(review.proof ?? ''), Buffer.from(proofOf(review, token))]
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function proofOf({ origin: _, at: __, ...review }: Review, token: string): string {
  return createHmac('sha256', token)
    .update(JSON.stringify(listOf(review)))
    .digest('hex')
}

function listOf({ verdict, sha, change, issue, run, by, note, origin, at, sessions = [] }: Review): Signed {
  return [verdict, sha, change, issue, run, by, note, origin ?? null, at ?? null, ...sessions]
}
