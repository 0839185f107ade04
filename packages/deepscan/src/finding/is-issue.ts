import type { Finding } from './finding.ts'

/**
 * Whether a finding may become an issue: what an agent has found does so only after a second reader, who was given the
 * code, has failed to refute it.
 */
export function isIssue({ analyser, refutation }: Finding): boolean {
  return analyser !== 'agent' || refutation?.word === 'stands'
}

/** Whether an agent found it where it says, and no second reader has said what it is. */
export function isUnjudged(finding: Finding): boolean {
  return !isIssue(finding) && (finding.verification === 'verified' || finding.verification === 'moved')
}
