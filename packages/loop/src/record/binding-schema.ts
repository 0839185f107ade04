import { z } from 'zod'

/** What is recorded on the topic of a session, `loop:session:<host>:<id>`. */
export const bindingEvent = z.discriminatedUnion('event', [
  z.object({
    event: z.literal('bound'),
    run: z.string(),
    stale_after: z.int().describe('milliseconds the session may be silent'),
  }),
  z.object({ event: z.literal('released'), run: z.string() }),
  z
    .object({
      event: z.literal('ended'),
      cleared: z.boolean().optional().describe('a new session goes on in its window'),
    })
    .describe('the host says that the session is over'),
  z.object({ event: z.literal('begun') }).describe('the session goes on after it had ended'),
])
export type BindingEvent = z.infer<typeof bindingEvent>
