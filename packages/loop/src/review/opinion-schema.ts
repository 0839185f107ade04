// A second opinion, as it was recorded on the topic of the issue, or of the run when it is a task; the
// message's body ends with the answer.
import { z } from 'zod'

export const opinionSchema = z.object({
  type: z.literal('opinion'),
  v: z.literal(1),
  with: z.string().describe('the runner that was asked'),
  by: z.string().describe('who asked'),
  issue: z.string().nullable(),
  run: z.string().nullable(),
  prompt_sha256: z.string(),
  sha: z.string().nullable().optional().describe('the commit that the work was at'),
  change: z.string().nullable().optional().describe('hash of what it changes on the base'),
  outcome: z.enum(['done', 'failed', 'timeout']),
  exit_code: z.int().nullable(),
  duration_ms: z.int(),
  error: z.string().nullable(),
})
export type Opinion = z.infer<typeof opinionSchema>

/** An opinion with its text: what `loop ask` prints. Its id is null when there was no work to record it for. */
export const givenOpinionSchema = opinionSchema.extend({ id: z.string().nullable(), text: z.string() })
export type GivenOpinion = z.infer<typeof givenOpinionSchema>
