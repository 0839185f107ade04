import type { Finding } from '../finding/finding.ts'
import { isAtLeast, type Severity } from '../finding/severity.ts'
import type { SkipReason } from '../walk/skip-reason.ts'
import type { Scanned } from './scan-tree.ts'

/** What a run looked at, found and left out. Nothing is left out without a reason and a count. */
export type Tally = {
  rules: number
  files: number
  lines: number
  findings: number
  fixable: number
  offers: number
  /** Files that break the grammar somewhere, and in how many places. */
  brokenFiles: number
  brokenPlaces: number
  /** Rules given up on a file because they matched in too many places. */
  overflows: number
  /** Files that are equal to one that was scanned. */
  copies: number
  skipped: Map<SkipReason, number>
}

export function startTally(rules: number): Tally {
  const counts = { files: 0, lines: 0, findings: 0, fixable: 0, offers: 0, brokenFiles: 0, brokenPlaces: 0 }
  return { rules, ...counts, overflows: 0, copies: 0, skipped: new Map() }
}

export function countSkip(tally: Tally, reason: SkipReason): void {
  tally.skipped.set(reason, (tally.skipped.get(reason) ?? 0) + 1)
}

/** Adds what one file gave, and returns its findings of this severity or a higher one. */
export function countScanned(tally: Tally, { result }: Scanned, lowest: Severity): readonly Finding[] {
  if (typeof result === 'string') {
    countSkip(tally, result)
    return []
  }
  tally.files += 1
  if ('equalTo' in result) {
    tally.copies += 1
    return []
  }
  const findings = result.findings.filter(({ severity }) => isAtLeast(severity, lowest))
  tally.lines += result.lines
  tally.findings += findings.length
  tally.fixable += findings.filter(({ fixable }) => fixable).length
  tally.offers += findings.filter(({ offer }) => offer).length
  tally.brokenFiles += result.syntaxErrors > 0 ? 1 : 0
  tally.brokenPlaces += result.syntaxErrors
  tally.overflows += result.overflowed.length
  return findings
}
