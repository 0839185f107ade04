import * as z from 'zod'

/** How code ended in the isolate, as `deepscan exec --json` prints it. */
export const outcomeSchema = z.object({
  v: z.literal(1),
  type: z.literal('outcome'),
  kind: z.enum(['done', 'thrown', 'memory', 'late']).describe('done; threw an error; ran out of memory; of time'),
  printed: z.string().describe('By print()'),
  value: z
    .string()
    .nullable()
    .describe('Of the last expression: a text as it is, all else as JSON; null where it has none'),
  message: z.string().nullable().describe('The error'),
})
export type Outcome = z.infer<typeof outcomeSchema>
