import * as z from 'zod'

/** What `agents` prints of everybody who has spoken. */
export const agentSchema = z.object({
  v: z.literal(1),
  name: z.string(),
  state: z.enum(['active', 'idle', 'retired']).describe('idle after 15 minutes without a word, retired after a day'),
  last_at: z.number().describe('milliseconds since 1970, by the sender’s clock'),
  messages: z.int().nonnegative().describe('in the time that was looked at'),
  topics: z.array(z.string()).describe('where it spoke last first'),
  role: z.string().nullable(),
  model: z.string().nullable(),
})

export type AgentSummary = z.infer<typeof agentSchema>
