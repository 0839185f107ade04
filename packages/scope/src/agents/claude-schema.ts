// What Claude Code prints of a turn.
import { z } from 'zod'

const tokens = z.int().nonnegative().catch(0)

const usageSchema = z.object({
  input_tokens: tokens,
  cache_creation_input_tokens: tokens,
  cache_read_input_tokens: tokens,
  output_tokens: tokens,
})

export const resultSchema = z.object({
  type: z.literal('result'),
  subtype: z.string().catch(''),
  is_error: z.boolean().catch(false),
  api_error_status: z.int().optional().catch(undefined),
  result: z.string().catch(''),
  errors: z.array(z.string()).catch([]),
  session_id: z.string().nullable().catch(null),
  total_cost_usd: z.number().nonnegative().nullable().catch(null),
  usage: usageSchema.nullable().catch(null),
})

export type Result = z.infer<typeof resultSchema>

export type ResultUsage = z.infer<typeof usageSchema>

export const messageSchema = z.object({
  type: z.literal('assistant'),
  message: z.object({
    id: z.string(),
    usage: usageSchema,
  }),
})
