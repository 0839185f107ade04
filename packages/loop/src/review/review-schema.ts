// A verdict on a change, as it stands on the topic of the issue, or of the run when it is a task.
import { z } from 'zod'

const sha = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/)

export const reviewSchema = z.object({
  type: z.literal('review'),
  v: z.literal(1),
  verdict: z.enum(['lgtm', 'changes']),
  sha: sha.describe('the commit that was looked at'),
  change: z.string().nullable().describe('hash of what it changes on the base, wherever that is; null for nothing'),
  issue: z.string().nullable(),
  run: z.string().nullable().describe('the run it was made in'),
  by: z.string(),
  note: z.string(),
  second_opinions: z.array(z.string()).describe('ids of what loop ask recorded'),
  origin: z
    .enum(['person', 'session', 'subagent', 'reviewer', 'script'])
    .optional()
    .describe('whom loop took it from; without a signature that holds it counts for nothing, script in no run'),
  sessions: z
    .array(z.string())
    .optional()
    .describe('HOST:ID of the sessions it was made in; none counts in its own run'),
  at: z.int().optional().describe('when loop took it, in milliseconds since 1970'),
  signature: z.string().optional(),
  proof: z.string().optional().describe('of a reviewer that loop started, for loop to take it from'),
})
export type Review = z.infer<typeof reviewSchema>

/** A review with the id of its message: what `loop review post` prints. */
export const postedReviewSchema = reviewSchema.extend({ id: z.string() })
export type PostedReview = z.infer<typeof postedReviewSchema>

/** How a change stands: what `loop review status` prints. */
export const reviewStatusSchema = z.object({
  issue: z.string().nullable(),
  run: z.string().nullable(),
  sha,
  verdict: z.enum(['approved', 'changes', 'missing', 'outdated']),
  output: z.string().describe('what is to be done, or was asked for'),
  reviews: z.array(postedReviewSchema),
})
export type ReviewStatus = z.infer<typeof reviewStatusSchema>
