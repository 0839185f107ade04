import { type ExitCode, exitCodes } from '@switchyard/ground/failure'
import type { IssueResult } from './event-schema.ts'
import type { Outcome } from './work-schema.ts'

const done: readonly Outcome[] = ['landed', 'already-done', 'proposed', 'complete']

/**
 * 0: every work is done; 3: there was none; 5: one was cancelled; 9: only limits and breakers kept some from it; 1:
 * anything else did.
 */
export function exitCodeOf(results: readonly Pick<IssueResult, 'outcome'>[]): ExitCode {
  if (results.length === 0) return exitCodes.notFound
  const open = results.filter(({ outcome }) => !done.includes(outcome))
  if (open.length === 0) return exitCodes.done
  if (open.some(({ outcome }) => outcome === 'cancelled')) return exitCodes.conflict
  return open.every(({ outcome }) => outcome === 'gave-up' || outcome === 'stuck') ? exitCodes.limit : exitCodes.failed
}
