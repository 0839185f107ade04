import { z } from 'zod'
import { issueResult, loopEvent } from './event-schema.ts'
import { runStatus } from './status-schema.ts'

/** The records of `loop` as JSON Schemas, for `loop schema`. */
export const schemas = {
  event: z.toJSONSchema(loopEvent),
  result: z.toJSONSchema(issueResult),
  status: z.toJSONSchema(runStatus),
}
