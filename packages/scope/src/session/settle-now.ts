// Writing down what a look at a session has found out. A reader does not need it: where nothing can be written, it gets
// the session as it would stand then.
import { isFailure } from '@switchyard/ground/failure'
import { endLeft } from './end-left.ts'
import { foldSession, type Session } from './fold-session.ts'
import { type EventDraft, record, type Scribe } from './record.ts'
import { findSettled } from './settle.ts'

/** The session behind what was found; what a session that has failed left running is ended. */
export async function settleNow(scribe: Scribe, session: Session): Promise<Session> {
  const after = await recordOrFold(scribe, session)
  if (after.state === 'failed' && session.state !== 'failed') await endLeft(scribe, after)
  return after
}

async function recordOrFold(scribe: Scribe, session: Session): Promise<Session> {
  const { store, now } = scribe
  const found = (before: Session) => findSettled(store, before, now())
  try {
    return await record(scribe, session.id, (before) => (before === undefined ? [] : found(before)))
  } catch (error) {
    // The disk is full, or the store is read-only here.
    if (isFailure(error) && error.kind === 'failed') return foldedWith(session, found(session), now())
    throw error
  }
}

const foldedWith = (session: Session, drafts: readonly EventDraft[], at: number): Session =>
  drafts.reduce<Session>(
    (before, draft) => foldSession(before, { v: 1, id: 'unwritten', at, session: before.id, ...draft }) ?? before,
    session,
  )
