// Processes that carry the mark of a session which is not at work: its agent left them, or its end was cut short.
import { type Environment, endByEnvironment, findByEnvironment } from '@switchyard/exec'
import type { Store } from '@switchyard/topic'
import { isAtRest, type Session } from './fold-session.ts'
import { readSession } from './read-session.ts'

const graceMs = 2000

/** Processes and the sessions whose they are. */
export type Left = { readonly pids: readonly number[]; readonly ids: readonly string[] }

/** The processes that nobody is to have, of the sessions for which `isMeant`. */
export function findLeft(store: Store, isMeant: (session: Session | undefined) => boolean): Left {
  const ids = new Set<string>()
  const found = findByEnvironment((environment) => {
    const id = leftBy(store, environment, isMeant)
    if (id !== undefined) ids.add(id)
    return id !== undefined
  })
  return { pids: found.map(({ pid }) => pid), ids: [...ids] }
}

/** Ends them; what a session needs again by then stays. */
export const endLeftBy = (store: Store, isMeant: (session: Session | undefined) => boolean): Promise<number> =>
  endByEnvironment((environment) => leftBy(store, environment, isMeant) !== undefined, graceMs)

/** A supervisor has its own end still before it when its session is over, and is nobody's where there is none. */
function leftBy(store: Store, environment: Environment, isMeant: (session: Session | undefined) => boolean) {
  if (environment.get('SCOPE_DIR') !== store.path) return undefined
  const own = environment.get('SCOPE_SESSION_ID')
  const id = own || environment.get('SCOPE_SUPERVISES')
  if (!id) return undefined
  const session = readSession(store, id)
  const isLeft = session === undefined || (own && isAtRest(session))
  return isLeft && isMeant(session) ? id : undefined
}
