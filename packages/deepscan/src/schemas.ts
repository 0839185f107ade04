import * as z from 'zod'
import { findingSchema, fixSchema } from './finding/finding.ts'

/** What `deepscan schema` prints: the records that other programs may read. */
export const schemas = { finding: z.toJSONSchema(findingSchema), fix: z.toJSONSchema(fixSchema) }
