import { z } from 'zod'

const count = z.int().nonnegative()

/** What can be added up by: `loop` leaves out what belongs to none, `day` is that of the start, by UTC. */
export const groupings = ['agent', 'model', 'type', 'session', 'tree', 'loop', 'day', 'state'] as const

/** What several sessions came to, as `scope stats` prints it. */
export const statSchema = z.object({
  v: z.literal(1),
  by: z.enum(groupings),
  key: z.string(),
  sessions: count,
  turns: count.describe('that have ended; those of a loop are those of its sessions'),
  failed: count.describe('sessions that have failed'),
  time_ms: count.describe('from the start of each to its last change of state, or to now while it is not over'),
  input_tokens: count.describe('all that was read, as far as the agents tell'),
  output_tokens: count,
  cached_tokens: count.describe('the part of the input that came from a cache'),
  cost_usd: z.number().nonnegative().nullable().describe('null where no agent tells'),
})

export type Stat = z.infer<typeof statSchema>
export type Grouping = (typeof groupings)[number]
