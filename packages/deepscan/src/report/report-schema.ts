import * as z from 'zod'
import { findingSchema } from '../finding/finding.ts'

const count = z.number().int().min(0)

/** What findings come to: `deepscan reduce --json`, `report.json` of a scan, `deepscan export --format json`. */
export const reportSchema = z.object({
  v: z.literal(1),
  type: z.literal('report'),
  scan: z.string().nullable().describe('The id of the scan; null for findings from elsewhere'),
  query: z.string().nullable(),
  findings: z.array(findingSchema).describe('The most worth a look first'),
  totals: z.object({
    given: count.describe('Findings that came in'),
    unique: count.describe('Findings after the same ones were brought together'),
    places: count.describe('Occurrences of those'),
    contradictions: count.describe('Findings that others of the same place deny'),
    ghosts: count.describe('Left out because their quote is nowhere, or they were refuted'),
    unsure: count.describe('Left out because of too little confidence'),
  }),
})
export type Report = z.infer<typeof reportSchema>
