import { z } from 'zod'
import { configSchema } from './config-schema.ts'

/** What `loop init` says: where the settings are and what they come to. */
export const initiated = z.object({
  path: z.string(),
  made: z.boolean().describe('false when the file was there'),
  config: configSchema,
})
export type Initiated = z.infer<typeof initiated>
