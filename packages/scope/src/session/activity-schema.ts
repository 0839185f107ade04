import { z } from 'zod'

/** What an agent does now, as a message on the bus tells it. It is no event of the session's log. */
export const activitySchema = z.object({
  v: z.literal(1),
  id: z.string(),
  at: z.number().describe('milliseconds since 1970, by the clock of the writer'),
  session: z.string(),
  event: z.literal('activity'),
  by: z.string().describe('hook, or the tool that keeps it going'),
  activity: z.string().describe('one line; empty: nothing any more'),
})

export type Activity = z.infer<typeof activitySchema>
