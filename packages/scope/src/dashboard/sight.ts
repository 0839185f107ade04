// Which sessions the dashboard shows, and how each stands.
import { statIfThere } from '@switchyard/ground/disk'
import type { Store } from '@switchyard/topic'
import { idsAtHand } from '../session/live.ts'
import { lookAtAll } from '../session/look.ts'
import type { Scribe } from '../session/record.ts'
import { eventsFile } from '../session/scope-store.ts'
import { compareIds, isSessionId, parentOf } from '../session/session-id.ts'
import type { SessionView } from '../session/session-schema.ts'
import { readActivity, viewFrom } from '../session/session-view.ts'

/** The ids of sessions at work, of those above them, and of so many that ended last. */
export function idsToShow({ store }: Pick<Scribe, 'store'>, overMax: number): string[] {
  const ids = new Set(idsAtHand(store, overMax))
  for (const id of ids) {
    const parent = parentOf(id)
    if (parent !== undefined) ids.add(parent)
  }
  return [...ids].sort(compareIds)
}

/** Tells whether a session is one of this store. */
export function ownIn(store: Store): (id: string) => boolean {
  const known = new Set<string>()
  return (id) => {
    if (isSessionId(id) && !known.has(id) && statIfThere(eventsFile(store, id)) !== undefined) known.add(id)
    return known.has(id)
  }
}

/** Sessions as they stand now, without their results, which may be long; those that never came to be are left out. */
export async function glanceAt(scribe: Scribe, ids: readonly string[]): Promise<SessionView[]> {
  const sessions = await lookAtAll(scribe, ids)
  return sessions.map((session) =>
    viewFrom(session, { activity: readActivity(scribe.store, session.id), result: null }),
  )
}
