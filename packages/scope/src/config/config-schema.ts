// The user's own settings: of what sessions are made where a command line does not say.
import { z } from 'zod'
import { accessLevels } from '../adapter.ts'
import { taskType } from '../session/event-schema.ts'

const count = z.int().min(1).max(100_000)
const word = z.string().min(1)
const duration = z.string().regex(/^\d{1,9}(?:ms|s|m|h|d)$/, 'expected a duration such as 90s, 10m or 2h')

/** Which agent does something, and how. */
const choice = z.strictObject({
  agent: word.optional(),
  model: word.optional(),
  access: z.enum(accessLevels).optional(),
  timeout: duration.optional(),
})

/** `config.json` in the folder of the user's settings. Every field may be left out. */
export const configSchema = z.strictObject({
  v: z.literal(1).default(1),
  max_running: count.optional(),
  max_depth: z.int().min(0).max(100).optional(),
  max_completed_sessions: z.int().min(0).max(100_000).optional(),
  timeout: duration.optional(),
  types: z.partialRecord(taskType, choice).default({}),
  profiles: z
    .record(z.string().regex(/^[a-z][\w-]{0,63}$/i, 'expected a name of letters and digits'), choice)
    .default({}),
})

export type Config = z.infer<typeof configSchema>
export type Choice = z.infer<typeof choice>

/** A setting as `scope config` prints it. */
export const settingSchema = z.object({
  v: z.literal(1),
  name: z.string(),
  value: z.json().describe('null where there is none'),
  origin: z.enum(['user', 'default']),
  summary: z.string(),
})

export type Setting = z.infer<typeof settingSchema>
