import { z } from 'zod'

const count = z.int().nonnegative()

/** What `scope replay` did again. */
export const replaySchema = z.object({
  v: z.literal(1),
  session: z.string().nullable(),
  text: z.string().describe('its answer'),
  edits: count.describe('changes of files that were made again'),
  left_out: z.array(z.string()).describe('files outside of its folder, which stay as they are'),
  other_tools: count.describe('uses of tools that are not repeated'),
})

export type Replayed = z.infer<typeof replaySchema>
