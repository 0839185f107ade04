// The lines that `opencode run` prints.
import { z } from 'zod'

const tokens = z.int().nonnegative().catch(0)

const partSchema = z.object({
  text: z.string().catch(''),
  cost: z.number().nonnegative().catch(0),
  tokens: z
    .object({ input: tokens, output: tokens, reasoning: tokens, cache: z.object({ read: tokens, write: tokens }) })
    .nullable()
    .catch(null),
})

const errorSchema = z.object({
  name: z.string().catch('error'),
  data: z
    .object({ message: z.string(), statusCode: z.int().optional().catch(undefined) })
    .optional()
    .catch(undefined),
})

export const lineSchema = z.object({
  type: z.enum(['step_start', 'text', 'tool_use', 'step_finish', 'error']),
  sessionID: z.string(),
  part: partSchema.optional().catch(undefined),
  error: errorSchema.optional().catch(undefined),
})

export type Line = z.infer<typeof lineSchema>
