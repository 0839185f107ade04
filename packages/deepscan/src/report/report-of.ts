import type { Finding } from '../finding/finding.ts'
import { isIssue } from '../finding/is-issue.ts'
import type { Gathered } from '../reduce/gather.ts'
import { groupings } from '../reduce/group.ts'
import { reduceFindings } from '../reduce/reduce.ts'
import { defaultWeights } from '../reduce/weights.ts'
import { keptReport } from './keep-report.ts'
import type { Report } from './report-schema.ts'

/** The report that was kept with a scan, else one that is made now. */
export function reportOf({ findings, open }: Gathered): Report {
  const kept = open === undefined ? undefined : keptReport(open, findings.length)
  return kept ?? reduced(findings, open)
}

/**
 * A report of what may become issues alone. It is made anew: where findings are brought together, one that nobody has
 * judged would hide behind another.
 */
export function issuesOf({ findings, open }: Gathered): Report {
  return reduced(findings.filter(isIssue), open)
}

function reduced(given: readonly Finding[], open: Gathered['open']): Report {
  const query = open?.scan.query ?? null
  const { findings, totals } = reduceFindings(given, {
    by: groupings,
    threshold: 0.7,
    minConfidence: 'low',
    query: query ?? undefined,
    weights: defaultWeights,
  })
  return { v: 1, type: 'report', scan: open?.scan.id ?? null, query, findings: [...findings], totals }
}
