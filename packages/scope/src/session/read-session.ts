// Sessions as their logs tell them. What is damaged is passed over, so that one bad line hides no session.
import { statAt } from '@switchyard/ground/at-path'
import { entriesIn, readStored } from '@switchyard/ground/disk'
import { Failure, isFailure } from '@switchyard/ground/failure'
import { parseRecord } from '@switchyard/jsonl'
import type { Store } from '@switchyard/topic'
import { isSessionEvent } from './event.check.ts'
import type { SessionEvent } from './event-schema.ts'
import { foldSession, type Session } from './fold-session.ts'
import { readAlias } from './names.ts'
import { isRemoved } from './removed.ts'
import { eventsFile, sessionsFolder } from './scope-store.ts'
import { compareIds, isSessionId } from './session-id.ts'

/** A hundred thousand events: no session has so many by itself. */
const logBytesMax = 32_000_000

/**
 * The events of a session, oldest first. Its log is one file, short enough to be read whole: a session's is never
 * sealed. Behind the last LF somebody is still writing. Exits 7 where it is too long for a log.
 */
export function* readEvents(store: Store, id: string): Generator<SessionEvent> {
  const path = eventsFile(store, id)
  const size = statAt(path)?.size ?? 0
  if (size > logBytesMax) {
    throw new Failure('corrupt', `expected ${path} to have at most ${logBytesMax} bytes, it has ${size}`, {
      hint: 'move it away, and the session is gone',
    })
  }
  const text = readStored(path) ?? ''
  for (const line of text.slice(0, text.lastIndexOf('\n') + 1).split('\n')) {
    const record = parseRecord({ text: line })
    if (record !== undefined && isSessionEvent(record)) yield record
  }
}

/** A session; undefined when there is none, or it is only being made. */
export function readSession(store: Store, id: string): Session | undefined {
  let session: Session | undefined
  for (const event of readEvents(store, id)) session = foldSession(session, event)
  return session
}

/** Like `readSession` for who reads many: one with a link in it, or that this user may not read, is none. */
export function readIfOpen(store: Store, id: string): Session | undefined {
  try {
    return readSession(store, id)
  } catch (error) {
    if (isFailure(error)) return undefined
    throw error
  }
}

/** The session of an id or a name. Exits 3 when there is none. */
export function findSession(store: Store, name: string): Session {
  const id = isSessionId(name) ? name : readAlias(store, name)
  const session = id === undefined ? undefined : readSession(store, id)
  if (session !== undefined) return session
  if (isRemoved(store, name)) throw new Failure('notFound', `session ${name} was removed`)
  throw new Failure('notFound', `there is no session ${name}`, { hint: 'scope list --all shows them' })
}

/** The ids of all sessions, also of those that are only being made, in the order of their tree. */
export function allIds(store: Store): string[] {
  return entriesIn(sessionsFolder(store))
    .filter((entry) => entry.isDirectory() && isSessionId(entry.name))
    .map(({ name }) => name)
    .sort(compareIds)
}
