import { type ExitCode, exitCodes } from '@switchyard/ground/failure'
import type { Session } from '../session/fold-session.ts'

/** How waiting for sessions ends: 0 all done, 1 one has failed, 5 one was stopped, 124 one is not over. */
export function exitCodeOf(sessions: readonly Pick<Session, 'state'>[]): ExitCode {
  const states = new Set(sessions.map(({ state }) => state))
  if (states.has('failed')) return exitCodes.failed
  if (states.has('exited') || states.has('aborted')) return exitCodes.conflict
  return states.has('running') || states.has('pending') ? exitCodes.waitTimeout : exitCodes.done
}
