// Ending whatever a session has started and left, also what left its parent and its terminal.
import { endByEnvironment } from '@switchyard/exec'
import type { Session } from './fold-session.ts'
import type { Scribe } from './record.ts'

const graceMs = 2000

type Where = Pick<Scribe, 'store'>
type Whose = Pick<Session, 'id'>

/**
 * Ends the supervisor of a session, and what has the mark of the session. Not by the tree of processes: below the
 * supervisor of a loop stand those of its members, which are sessions of their own.
 */
export const endAll = (where: Where, whose: Whose): Promise<number> =>
  endMarked(where, whose, ['SCOPE_SESSION_ID', 'SCOPE_SUPERVISES'])

/** Ends what has the mark of a session in its environment; returns how many processes that were. */
export const endLeft = (where: Where, whose: Whose): Promise<number> => endMarked(where, whose, ['SCOPE_SESSION_ID'])

function endMarked({ store }: Where, { id }: Whose, names: readonly string[]): Promise<number> {
  return endByEnvironment(
    (environment) => environment.get('SCOPE_DIR') === store.path && names.some((name) => environment.get(name) === id),
    graceMs,
  )
}
