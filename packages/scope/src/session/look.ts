// A look at a session: as its log tells it, once what has happened meanwhile is written there.
import { statAt } from '@switchyard/ground/at-path'
import { isFailure } from '@switchyard/ground/failure'
import type { Session } from './fold-session.ts'
import { isBehind } from './project.ts'
import { findSession, readSession } from './read-session.ts'
import type { Scribe } from './record.ts'
import { sessionFolder } from './scope-store.ts'
import { findSettled } from './settle.ts'

/** The session of an id or a name, as it stands now. Exits 3 when there is none. */
export const look = (scribe: Scribe, name: string): Promise<Session> => settled(scribe, findSession(scribe.store, name))

/** Told of a session that cannot be read: there is a link in it, or it is another user's. */
export type LeftOut = (line: string) => void

/**
 * Sessions by their ids, as they stand now; those that never came to be are left out, and so is one that cannot be
 * read: it hides no other.
 */
export async function lookAtAll(scribe: Scribe, ids: readonly string[], leftOut?: LeftOut): Promise<Session[]> {
  const sessions: Session[] = []
  for (const id of ids) {
    try {
      const session = readSession(scribe.store, id)
      if (session !== undefined) sessions.push(await settled(scribe, session))
    } catch (error) {
      if (!isFailure(error)) throw error
      leftOut?.(`session ${id} is left out: ${error.message}`)
    }
  }
  return sessions
}

/**
 * A child that its parent has begun, as it stands now; undefined where there is none. Whoever is about to make it is
 * waited for: where its parent is paused or aborted by now, none will come.
 */
export async function lookAtBegun(scribe: Scribe, id: string): Promise<Session | undefined> {
  const { store } = scribe
  const session = readSession(store, id)
  if (session !== undefined) return settled(scribe, session)
  try {
    const { record } = await import('./record.ts')
    return await record(scribe, id, () => [])
  } catch (error) {
    const isThere = statAt(sessionFolder(store, id)) !== undefined
    if (isFailure(error) && (error.kind === 'notFound' || !isThere)) return undefined
    throw error
  }
}

async function settled(scribe: Scribe, session: Session): Promise<Session> {
  const { store, now } = scribe
  const found = findSettled(store, session, now())
  if (found.length === 0 && !isBehind(store, session)) return session
  const { settleNow } = await import('./settle-now.ts')
  return settleNow(scribe, session)
}
