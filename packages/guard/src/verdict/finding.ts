import type { RuleId } from './rule-table.ts'
import type { Decision, Verdict } from './verdict.ts'

/** A rule that a command met. `at` is what met it: the words of the command, or a path. */
export type Finding = { readonly rule: RuleId; readonly at: string }

/** The strictest of what was found, the first of equals. */
const severity: Readonly<Record<Decision, number>> = { allow: 0, warn: 1, ask: 2, deny: 3 }

export const nothingFound: Verdict = { decision: 'allow', rule: null, reason: '', at: '' }

export function strictest(verdicts: readonly Verdict[]): Verdict {
  return verdicts.reduce(
    (worst, verdict) => (severity[verdict.decision] > severity[worst.decision] ? verdict : worst),
    nothingFound,
  )
}

/** A verdict as the agent reads it. */
export function said({ rule, reason, at }: Verdict): string {
  return `loop guard (${rule}): ${at === '' ? '' : `${at}: `}${reason}`
}
