import type { Finding } from '../finding/finding.ts'
import { isAtLeast, type Severity } from '../finding/severity.ts'
import { findContradictions } from './contradictions.ts'
import { type GroupSettings, groupFindings } from './group.ts'
import { mergeGroup } from './merge.ts'
import { prepare } from './prepare.ts'
import { rankFindings } from './rank.ts'

export type ReduceSettings = GroupSettings & {
  /** Findings of less confidence are left out, after merging. */
  minConfidence: Severity
  /** What was asked; findings near to it come first. */
  query: string | undefined
}

/** What findings come to. `left_out` are ghosts, refuted ones, and those of too little confidence. */
export type Reduced = {
  findings: readonly Finding[]
  totals: { given: number; unique: number; places: number; contradictions: number; ghosts: number; unsure: number }
}

/**
 * Brings findings together that are the same defect said twice, or the same defect at several places; what has no
 * evidence is left out and counted. The order in which they come does not matter.
 */
export function reduceFindings(given: readonly Finding[], settings: ReduceSettings): Reduced {
  const credible = given.filter(({ verification }) => verification !== 'ghost' && verification !== 'refuted')
  const prepared = prepare(credible)
  const denied = findContradictions(prepared)
  const merged = groupFindings(prepared, settings).map((group) => {
    const finding = mergeGroup(group, settings.weights)
    const contradicts = [...new Set(group.flat().flatMap((one) => denied.get(one.finding.id) ?? []))].sort()
    return contradicts.length === 0 ? finding : { ...finding, contradicts }
  })
  const sure = merged.filter(({ confidence }) => isAtLeast(confidence, settings.minConfidence))
  return {
    findings: rankFindings(sure, settings.query, settings.weights),
    totals: {
      given: given.length,
      unique: sure.length,
      places: sure.reduce((sum, { occurrences = [] }) => sum + occurrences.length, 0),
      contradictions: sure.filter(({ contradicts }) => contradicts !== undefined).length,
      ghosts: given.length - credible.length,
      unsure: merged.length - sure.length,
    },
  }
}
