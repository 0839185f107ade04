// Which sessions the dashboard shows, and how each stands.
import { idsAtHand } from '../session/live.ts'
import { lookAtAll } from '../session/look.ts'
import type { Scribe } from '../session/record.ts'
import { compareIds, parentOf } from '../session/session-id.ts'
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

/** Sessions as they stand now, without their results, which may be long; those that never came to be are left out. */
export async function glanceAt(scribe: Scribe, ids: readonly string[]): Promise<SessionView[]> {
  const sessions = await lookAtAll(scribe, ids)
  return sessions.map((session) =>
    viewFrom(session, { activity: readActivity(scribe.store, session.id), result: null }),
  )
}
