import { type ExitCode, exitCodes } from '@switchyard/ground/failure'
import type { Session } from '../session/fold-session.ts'

type Ended = Pick<Session, 'state' | 'loop' | 'limit'>

/**
 * How waiting for sessions ends: 0 all done, 1 one has failed, 5 one was stopped, 9 a loop has had all its iterations
 * or one has spent its budget, 124 one is not over.
 */
export function exitCodeOf(sessions: readonly Ended[]): ExitCode {
  const codes = new Set(sessions.map(codeOf))
  const worst = [exitCodes.failed, exitCodes.conflict, exitCodes.limit, exitCodes.waitTimeout]
  return worst.find((code) => codes.has(code)) ?? exitCodes.done
}

function codeOf({ state, loop, limit }: Ended): ExitCode {
  const isLimit = limit !== null || loop?.verdict === 'max_iterations'
  if (state === 'failed') return isLimit ? exitCodes.limit : exitCodes.failed
  if (state === 'exited' || state === 'aborted') return exitCodes.conflict
  return state === 'done' ? exitCodes.done : exitCodes.waitTimeout
}
