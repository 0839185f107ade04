// Removing what is over, and how much that frees.
import { join } from 'node:path'
import { entriesIn, folderIn, lstatIfThere } from '@switchyard/ground/disk'
import { holdLock } from '@switchyard/jsonl'
import type { Store } from '@switchyard/topic'
import { clearRemoved, moveAway, purgeSession } from '../end/purge-session.ts'
import { isAtRest } from '../session/fold-session.ts'
import { readSession } from '../session/read-session.ts'
import type { Scribe } from '../session/record.ts'
import { sessionLock } from '../session/scope-store.ts'

/** Removes a session; false when somebody goes on with it by now. */
export const removeSession = (scribe: Scribe, id: string): Promise<boolean> =>
  holdLock(sessionLock(scribe.store, id), () => removeHeld(scribe, id))

/** Like `removeSession` for who holds its lock. */
export async function removeHeld(scribe: Scribe, id: string): Promise<boolean> {
  const session = readSession(scribe.store, id)
  if (session !== undefined && !isAtRest(session)) return false
  await purgeSession(scribe, id)
  return true
}

/** Does something while nobody goes on with any of them. */
export function whileHeld<T>(store: Store, ids: readonly string[], body: () => Promise<T>): Promise<T> {
  const [id, ...others] = ids
  return id === undefined ? body() : holdLock(sessionLock(store, id), () => whileHeld(store, others, body))
}

/** Removes a run of a workflow. */
export function removeRun(store: Store, run: string): void {
  moveAway(store, folderIn(store, `workflows/${run}`), run)
  clearRemoved(store)
}

/** The bytes of the files at a path and below it; links are not followed. */
export function bytesAt(path: string): number {
  const stats = lstatIfThere(path)
  if (stats === undefined || !stats.isDirectory()) return stats?.size ?? 0
  return entriesIn(path).reduce((sum, { name }) => sum + bytesAt(join(path, name)), 0)
}
