// What the verbs that look after a store print with --json.
import { z } from 'zod'

const corrupt = z.object({ file: z.string(), line: z.int(), offset: z.int(), reason: z.string() })

/** What `doctor --log` counts. */
export const reportSchema = z.object({
  v: z.literal(1),
  path: z.string(),
  lines: z.int(),
  events: z.int().describe('those of a batch one by one'),
  issues: z.int(),
  deleted: z.int(),
  torn: z.int().describe('cut off by a kill, harmless'),
  duplicates: z.int(),
  void: z.int().describe('came after another claim, and do not count'),
  unknown: z.int().describe('of a later version, kept'),
  foreign: z.int().describe('no events'),
  corrupt: z.array(corrupt),
})

/** What one look of `doctor` found. */
export const diagnosisSchema = z.object({
  check: z.string(),
  state: z.enum(['ok', 'warn', 'bad', 'fixed']),
  detail: z.string(),
  advice: z.string().nullable().describe('what to do'),
})

/** What `where` prints. */
export const storeSchema = z.object({
  v: z.literal(1),
  store: z.string(),
  base: z.string().describe('the root that it lies in'),
  exists: z.boolean(),
  reason: z.string(),
  log: z.string(),
  private: z.boolean().describe('hides itself from git'),
  cache: z.string().describe('may be deleted at any time'),
  bus: z.string().nullable().describe('where changes are told; null when there is no bus'),
})

/** What `init` prints. */
export const madeSchema = z.object({
  v: z.literal(1),
  store: z.string(),
  prefix: z.string().nullable(),
  private: z.boolean(),
})

/** What `prime` prints. */
export const primerSchema = z.object({
  v: z.literal(1),
  name: z.string(),
  store: z.string(),
  text: z.string(),
})
