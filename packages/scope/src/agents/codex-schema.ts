// The lines that `codex exec` prints.
import { z } from 'zod'

const tokens = z.int().nonnegative().catch(0)

export const lineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('thread.started'), thread_id: z.string() }),
  z.object({
    type: z.literal('item.completed'),
    item: z.object({ type: z.literal('agent_message'), text: z.string() }),
  }),
  z.object({
    type: z.literal('turn.completed'),
    usage: z
      .object({ input_tokens: tokens, cached_input_tokens: tokens, output_tokens: tokens })
      .nullable()
      .catch(null),
  }),
  z.object({ type: z.literal('turn.failed'), error: z.object({ message: z.string().catch('') }) }),
  z.object({ type: z.literal('error'), message: z.string() }),
])

export type Line = z.infer<typeof lineSchema>
