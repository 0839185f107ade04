import { z } from 'zod'
import { envelopeSchema } from './envelope-schema.ts'
import { sessionEvent } from './session/event-schema.ts'
import { sessionSchema, waitedSchema } from './session/session-schema.ts'

/** The records of `scope` as JSON Schemas, for `scope schema`. */
export const schemas = {
  envelope: z.toJSONSchema(envelopeSchema),
  session: z.toJSONSchema(sessionSchema),
  event: z.toJSONSchema(sessionEvent),
  waited: z.toJSONSchema(waitedSchema),
}
