import type { Finding } from '../finding/finding.ts'
import { compareText } from '../text/compare.ts'
import { linterNames } from './choose-linters.ts'
import { isKnownTo, sameRule } from './same-rule.ts'

/**
 * The findings of one file, in order: ours, and those of linters that neither one of ours nor an earlier linter has
 * already made of the same lines.
 */
export function mergeLinted(ours: readonly Finding[], linted: readonly Finding[]): Finding[] {
  const kept: Finding[] = [...ours]
  const rank = ({ analyser = '' }: Finding) => linterNames.map(String).indexOf(analyser)
  for (const finding of [...linted].sort((a, b) => rank(a) - rank(b))) {
    const isTold = kept.some((other) => meets(other, finding) && findsSame(other, finding))
    if (!isTold) kept.push(finding)
  }
  return kept.sort((a, b) => a.line - b.line || a.column - b.column || compareText(a.rule, b.rule))
}

function meets(a: Finding, b: Finding): boolean {
  return a.line <= b.end_line && b.line <= a.end_line
}

function findsSame(a: Finding, b: Finding): boolean {
  return isKnownTo(a.rule, b.rule) || (a.analyser !== b.analyser && sameRule(a.rule) === sameRule(b.rule))
}
