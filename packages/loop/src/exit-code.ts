import { type ExitCode, exitCodes } from '@switchyard/cli-kit/failure'
import type { IssueResult } from './state/event-schema.ts'
import type { Outcome } from './state/work-schema.ts'

const done: readonly Outcome[] = ['landed', 'already-done', 'proposed', 'complete']

/**
 * 0: every issue landed or was done already; 3: there was none; 9: only limits kept some from it; 1:
 * anything else did.
 */
export function exitCodeOf(results: readonly IssueResult[]): ExitCode {
  if (results.length === 0) return exitCodes.notFound
  const open = results.filter(({ outcome }) => !done.includes(outcome))
  if (open.length === 0) return exitCodes.done
  return open.every(({ outcome }) => outcome === 'gave-up' || outcome === 'stuck') ? exitCodes.limit : exitCodes.failed
}
