import * as z from 'zod'
import { errorSchema } from './errors/describe.ts'
import { outcomeSchema } from './exec/outcome.ts'
import { excerptSchema } from './explore/excerpt.ts'
import { matchCountSchema, matchSchema } from './explore/match-schema.ts'
import { scoutSchema } from './explore/scout-schema.ts'
import { symbolSchema } from './explore/symbol-schema.ts'
import { treeEntrySchema } from './explore/tree.ts'
import { findingSchema, fixSchema } from './finding/finding.ts'
import { estimateSchema } from './map/estimate.ts'
import { importedSchema } from './map/import-schema.ts'
import { promptSchema } from './map/instructions.ts'
import { mapSummarySchema } from './map/map-summary.ts'
import { changedSchema } from './report/diff.ts'
import { reportSchema } from './report/report-schema.ts'
import { chunkSchema } from './store/chunk-schema.ts'
import { eventSchema } from './store/event-schema.ts'
import { coverageSchema, totalCoverageSchema } from './store/fold-coverage.ts'
import { statusSchema } from './store/fold-status.ts'
import { listedSchema } from './store/list-scans.ts'
import { manifestEntrySchema } from './store/manifest-schema.ts'
import { removedSchema } from './store/removed-schema.ts'
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
  map: z.toJSONSchema(mapSummarySchema),
  estimate: z.toJSONSchema(estimateSchema),
  prompt: z.toJSONSchema(promptSchema),
  imported: z.toJSONSchema(importedSchema),
  outcome: z.toJSONSchema(outcomeSchema),
  excerpt: z.toJSONSchema(excerptSchema),
  scout: z.toJSONSchema(scoutSchema),
  tree_entry: z.toJSONSchema(treeEntrySchema),
  match: z.toJSONSchema(matchSchema),
  match_count: z.toJSONSchema(matchCountSchema),
  symbol: z.toJSONSchema(symbolSchema),
  status: z.toJSONSchema(statusSchema),
  report: z.toJSONSchema(reportSchema),
  change: z.toJSONSchema(changedSchema),
  listed: z.toJSONSchema(listedSchema),
  removed: z.toJSONSchema(removedSchema),
  coverage: z.toJSONSchema(coverageSchema),
  total: z.toJSONSchema(totalCoverageSchema),
  'error-code': z.toJSONSchema(errorSchema),
}
