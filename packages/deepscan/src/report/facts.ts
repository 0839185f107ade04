import { counted } from '@switchyard/cli-kit/counted'
import type { Finding } from '../finding/finding.ts'
import type { Report } from './report-schema.ts'

/** A line about a report for people. */
export function renderTotals({ totals }: Report): string {
  const { given, unique, places, contradictions, ghosts, unsure } = totals
  const extras = [
    contradictions > 0 ? `${contradictions} contradict others of the same place` : '',
    ghosts > 0 ? `${ghosts} left out: their quote is nowhere, or they were refuted` : '',
    unsure > 0 ? `${unsure} left out for too little confidence` : '',
  ].filter(Boolean)
  return [`${counted(given, 'finding')}: ${unique} distinct, at ${counted(places, 'place')}`, ...extras].join('; ')
}

/** The place of a finding, as editors take it. */
export function placeOf({ path, line, column }: Pick<Finding, 'path' | 'line' | 'column'>): string {
  return `${path}:${line}:${column}`
}

/** The other places of a finding, those behind its own. */
export function otherPlaces({ occurrences = [] }: Finding): readonly string[] {
  return occurrences.slice(1).map(placeOf)
}
