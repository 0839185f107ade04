// Ending whatever a session has started and left, also what left its parent and its terminal.
import { endByEnvironment } from '@switchyard/exec'
import type { Session } from './fold-session.ts'
import type { Scribe } from './record.ts'

const graceMs = 2000

/** Ends what has the mark of this session in its environment; returns how many processes that were. */
export function endLeft({ store }: Pick<Scribe, 'store'>, { id }: Pick<Session, 'id'>): Promise<number> {
  return endByEnvironment(
    (environment) => environment.get('SCOPE_SESSION_ID') === id && environment.get('SCOPE_DIR') === store.path,
    graceMs,
  )
}
