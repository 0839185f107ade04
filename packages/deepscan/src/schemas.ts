import * as z from 'zod'
import { findingSchema, fixSchema } from './finding/finding.ts'
import { chunkSchema } from './store/chunk-schema.ts'
import { eventSchema } from './store/event-schema.ts'
import { statusSchema } from './store/fold-status.ts'
import { manifestEntrySchema } from './store/manifest-schema.ts'
import { resultSchema } from './store/result-schema.ts'
import { scanSchema } from './store/scan-schema.ts'

/** What `deepscan schema` prints: the records that other programs may read. */
export const schemas = {
  finding: z.toJSONSchema(findingSchema),
  fix: z.toJSONSchema(fixSchema),
  scan: z.toJSONSchema(scanSchema),
  manifest: z.toJSONSchema(manifestEntrySchema),
  chunk: z.toJSONSchema(chunkSchema),
  event: z.toJSONSchema(eventSchema),
  result: z.toJSONSchema(resultSchema),
  status: z.toJSONSchema(statusSchema),
}
