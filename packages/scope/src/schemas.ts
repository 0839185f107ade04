import { z } from 'zod'
import { envelopeSchema } from './envelope-schema.ts'

/** The records of `scope` as JSON Schemas, for `scope schema`. */
export const schemas = {
  envelope: z.toJSONSchema(envelopeSchema),
}
