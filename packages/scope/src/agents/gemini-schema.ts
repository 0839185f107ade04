// What Gemini CLI prints of a turn.
import { z } from 'zod'

const tokens = z.int().nonnegative().catch(0)

const modelSchema = z.object({
  tokens: z.object({ prompt: tokens, candidates: tokens, thoughts: tokens, cached: tokens }),
})

export const resultSchema = z
  .object({
    session_id: z.string().nullable().catch(null),
    response: z.string().optional(),
    error: z.object({ message: z.string(), code: z.unknown() }).optional(),
    stats: z
      .object({ models: z.record(z.string(), modelSchema) })
      .nullable()
      .catch(null),
  })
  .refine(({ response, error }) => response !== undefined || error !== undefined)

export type Result = z.infer<typeof resultSchema>
