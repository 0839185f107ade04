import { isFailure } from '@switchyard/ground/failure'

/** Why something failed, in one line. */
export function whatFailed(error: unknown): string {
  if (isFailure(error)) return error.hint === undefined ? error.message : `${error.message}; ${error.hint}`
  return `a bug in loop: ${error instanceof Error ? error.message : String(error)}`
}
