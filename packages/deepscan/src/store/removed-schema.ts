import * as z from 'zod'

/** What `abort`, `reset` and `clean` removed, or with --dry-run would. */
export const removedSchema = z.object({
  v: z.literal(1),
  type: z.literal('removed'),
  scan: z.string().describe('A scan, or the place of what a killed process left'),
  bytes: z.number().int().min(0),
  reason: z.enum(['abort', 'age', 'size', 'left behind']),
})
export type Removed = z.infer<typeof removedSchema>
