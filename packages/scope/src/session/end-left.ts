// Ending whatever a session has started and left, also what left its parent and its terminal.
import { endByEnvironment, endTree } from '@switchyard/exec'
import type { Session } from './fold-session.ts'
import { isGone } from './process-here.ts'
import type { Scribe } from './record.ts'

const graceMs = 2000

/** Ends the supervisor of a session with all that stands below it, and what it left. */
export async function endAll(scribe: Pick<Scribe, 'store'>, session: Pick<Session, 'id' | 'process'>): Promise<void> {
  const { process } = session
  if (process !== undefined && !isGone(process)) await endTree(process.pid, graceMs)
  await endLeft(scribe, session)
}

/** Ends what has the mark of this session in its environment; returns how many processes that were. */
export function endLeft({ store }: Pick<Scribe, 'store'>, { id }: Pick<Session, 'id'>): Promise<number> {
  return endByEnvironment(
    (environment) => environment.get('SCOPE_SESSION_ID') === id && environment.get('SCOPE_DIR') === store.path,
    graceMs,
  )
}
