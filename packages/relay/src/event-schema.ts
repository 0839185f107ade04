// What a relay tells of itself: one JSON object a line with --json, a line on stderr for people.
import * as z from 'zod'

const eventSchema = z.discriminatedUnion('event', [
  z.object({ event: z.literal('connected'), at: z.number(), server: z.string(), stream: z.string() }),
  z.object({ event: z.literal('disconnected'), at: z.number(), reason: z.string(), retry_ms: z.number() }),
  z.object({ event: z.literal('sent'), at: z.number(), topic: z.string(), ids: z.array(z.string()) }),
  z.object({ event: z.literal('received'), at: z.number(), topic: z.string(), ids: z.array(z.string()) }),
  z.object({ event: z.literal('skipped'), at: z.number(), topic: z.string(), reason: z.string() }),
  z.object({ event: z.literal('missed'), at: z.number(), from: z.number(), to: z.number() }),
  z.object({
    event: z.literal('level'),
    at: z.number(),
    sent: z.number(),
    received: z.number(),
    skipped: z.number(),
  }),
])

/** Something that happened, `at` in milliseconds since 1970. */
export type RelayEvent = z.infer<typeof eventSchema>

/** JSON Schemas for `jwz-relay schema`. */
export const schemas = { event: z.toJSONSchema(eventSchema) }
