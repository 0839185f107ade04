import * as z from 'zod'

/** The five of the original, then ours. */
export const eventTypes = [
  'batch_start',
  'batch_end',
  'chunk_complete',
  'finding',
  'escalation',
  'session_start',
  'phase',
  'chunk_start',
  'retry',
  'secret_redacted',
  'skip',
  'parse_fallback',
  'cost',
  'cancel',
  'session_end',
] as const

/** One line of `events.jsonl`: something that happened in a scan. Further fields go with the type. */
export const eventSchema = z.looseObject({
  v: z.literal(1),
  type: z.enum(eventTypes),
  id: z.string(),
  scan: z.string(),
  run: z.string().describe('One call of deepscan that works on the scan'),
  seq: z.number().int().min(1).describe('Counts the events of a run'),
  at: z.string(),
})
export type ScanEvent = z.infer<typeof eventSchema>
