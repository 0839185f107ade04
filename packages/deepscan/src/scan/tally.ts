import type { SkipReason } from '../walk/skip-reason.ts'
import type { Scan } from './scan.ts'

/** What a run looked at, found and left out. Nothing is left out without a reason and a count. */
export type Tally = {
  files: number
  findings: number
  fixable: number
  offers: number
  /** Files that break the grammar somewhere, and in how many places. */
  brokenFiles: number
  brokenPlaces: number
  /** Rules given up on a file because they matched in too many places. */
  overflows: number
  skipped: Map<SkipReason, number>
}

export function startTally(): Tally {
  return {
    files: 0,
    findings: 0,
    fixable: 0,
    offers: 0,
    brokenFiles: 0,
    brokenPlaces: 0,
    overflows: 0,
    skipped: new Map(),
  }
}

export function countSkip(tally: Tally, reason: SkipReason): void {
  tally.skipped.set(reason, (tally.skipped.get(reason) ?? 0) + 1)
}

/** Adds what one file gave. */
export function countScan(tally: Tally, { matches, syntaxErrors, overflowed }: Scan): void {
  tally.files += 1
  tally.findings += matches.length
  tally.fixable += matches.filter(({ finding }) => finding.fixable).length
  tally.offers += matches.filter(({ finding }) => finding.offer).length
  tally.brokenFiles += syntaxErrors > 0 ? 1 : 0
  tally.brokenPlaces += syntaxErrors
  tally.overflows += overflowed.length
}
