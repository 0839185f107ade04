import { type ExitCode, exitCodes } from '@switchyard/cli-kit/failure'
import type { IssueResult } from './state/event-schema.ts'

/**
 * 0: every issue landed or was done already; 3: there was none; 9: only iteration limits kept some from it; 1:
 * anything else did.
 */
export function exitCodeOf(results: readonly IssueResult[]): ExitCode {
  if (results.length === 0) return exitCodes.notFound
  const open = results.filter(({ outcome }) => outcome !== 'landed' && outcome !== 'already-done')
  if (open.length === 0) return exitCodes.done
  return open.every(({ outcome }) => outcome === 'gave-up') ? exitCodes.limit : exitCodes.failed
}
