import { Failure } from '@switchyard/ground/failure'
import type { Session } from '../session/fold-session.ts'
import type { Scribe } from '../session/record.ts'
import { waitForAll } from './wait-for.ts'

/** Waits for the end of a session's turn. Exits 5 when the session is over by then, 124 when the time is. */
export async function untilIdle(scribe: Scribe, id: string, timeoutMs: number, signal: AbortSignal): Promise<void> {
  const isIdle = ([session]: readonly Session[]) => session?.turn === 'idle'
  const [session] = await waitForAll(scribe, [id], { signal, timeoutMs, isEnough: isIdle })
  if (session?.turn === 'idle') return
  if (session !== undefined && session.turn === null) {
    throw new Failure('conflict', `session ${id} is ${session.state}`, { retryable: false })
  }
  throw new Failure('waitTimeout', `session ${id} is still busy`)
}
