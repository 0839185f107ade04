import * as z from 'zod'

const count = z.number().int().min(0)

/** What an import has done: the line of `deepscan map --import FILE --json`. */
export const importedSchema = z.object({
  v: z.literal(1),
  type: z.literal('imported'),
  scan: z.string(),
  answers: count.describe('That were taken in'),
  unchanged: count.describe('That were there already'),
  findings: count,
  pending: count.describe('Chunks that have no result yet'),
})
export type ImportedCount = z.infer<typeof importedSchema>
