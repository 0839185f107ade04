import { z } from 'zod'

const tokens = z.int().nonnegative()

/**
 * What a turn cost in tokens, counted alike for every agent: `input_tokens` is all that was read, `cached_tokens` the
 * part of it that came from a cache.
 */
const usageSchema = z.object({ input_tokens: tokens, output_tokens: tokens, cached_tokens: tokens })

/** Why an agent cannot go on; `resets_at` in milliseconds since 1970, null where nobody said when. */
const limitSchema = z.object({ kind: z.enum(['rate', 'auth', 'budget']), resets_at: z.int().nullable() })

/** What came of one turn of an agent, the same for every kind. `loop` reads it. */
export const envelopeSchema = z.object({
  v: z.literal(1),
  agent: z.string(),
  text: z.string(),
  session: z.string().nullable(),
  outcome: z.enum(['done', 'nothing', 'failed', 'timeout']),
  exit_code: z.int().nullable(),
  usage: usageSchema.nullable(),
  cost_usd: z.number().nonnegative().nullable(),
  duration_ms: z.int().nonnegative(),
  limit: limitSchema.nullable(),
  error: z.string().nullable(),
  silent_ms: z.int().nonnegative().describe('how long it had printed nothing when it ended'),
  tries: z.int().positive().describe('how often it was asked, because of limits of its rate'),
})

export type Envelope = z.infer<typeof envelopeSchema>

export type Usage = z.infer<typeof usageSchema>

export type Limit = z.infer<typeof limitSchema>
