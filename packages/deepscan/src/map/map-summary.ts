import * as z from 'zod'
import type { Finding } from '../finding/finding.ts'
import type { OpenScan } from '../store/open-scan.ts'
import { readChunks, readFindings } from '../store/read-records.ts'
import type { Result } from '../store/result-schema.ts'
import type { Ledger } from './ledger.ts'

const count = z.number().int().min(0)

/** What a map has come to: the one line of `deepscan map --json`. */
export const mapSummarySchema = z.object({
  v: z.literal(1),
  type: z.literal('map'),
  scan: z.string(),
  outcome: z
    .enum(['done', 'failed', 'left', 'limit', 'stopped'])
    .describe(
      '`failed`: some chunks failed; `left`: some were not asked about; `limit`: the budget is spent; `stopped`: by a signal',
    ),
  reason: z.string().nullable(),
  chunks: z.object({ total: count, completed: count, partial: count, failed: count, pending: count }),
  findings: count.describe('Different ones'),
  tokens: count.describe('That this call has used; estimated where an agent does not say'),
  cost_usd: z.number().min(0),
  escalations: count,
})
export type MapSummary = z.infer<typeof mapSummarySchema>

/** What a map is counted by: whose results and findings are meant, and what it has spent. */
export type Counting = {
  readonly last: ReadonlyMap<string, Pick<Result, 'status'>>
  readonly isMeant: (finding: Finding) => boolean
  readonly spent: ReturnType<Ledger['spent']>
  /** Why nobody more may be asked. */
  readonly over: string | undefined
  readonly isStopped: boolean
}

/** Counts what a scan has by now. */
export function summaryOf(open: OpenScan, { last, isMeant, spent, over, isStopped }: Counting): MapSummary {
  const chunks = { total: 0, completed: 0, partial: 0, failed: 0, pending: 0 }
  for (const { id } of readChunks(open)) {
    chunks.total += 1
    chunks[last.get(id)?.status ?? 'pending'] += 1
  }
  const meant = new Set<string>()
  for (const finding of readFindings(open)) if (isMeant(finding)) meant.add(finding.id)
  const outcome = outcomeOf(chunks, over, isStopped)
  return {
    ...{ v: 1, type: 'map', scan: open.scan.id, outcome, reason: outcome === 'limit' ? (over ?? null) : null },
    ...{
      chunks,
      findings: meant.size,
      tokens: Math.round(spent.tokens),
      cost_usd: spent.usd,
      escalations: spent.escalations,
    },
  }
}

function outcomeOf(
  { failed, pending }: MapSummary['chunks'],
  over: string | undefined,
  isStopped: boolean,
): MapSummary['outcome'] {
  if (isStopped) return 'stopped'
  if (over !== undefined && pending + failed > 0) return 'limit'
  if (failed > 0) return 'failed'
  return pending > 0 ? 'left' : 'done'
}
