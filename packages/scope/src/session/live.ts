// Which sessions are not over, and which ended last: kept beside the sessions, so that nobody opens ten thousand to
// list five. Both are hints, which the logs of the sessions overrule.
import { statAt } from '@switchyard/ground/at-path'
import { entriesIn, folderIn, makeFolder } from '@switchyard/ground/disk'
import { join, rmSync } from '@switchyard/ground/machine'
import { writePlainFile } from '@switchyard/ground/plain-file'
import { appendLine, parseRecord, readLinesBackwards } from '@switchyard/jsonl'
import type { Store } from '@switchyard/topic'
import { compareIds, isSessionId } from './session-id.ts'

const endedFile = (store: Store) => join(store.path, 'ended.jsonl')

/** Says that a session is, or may be, at work. Before its log says so: no reader may miss one. */
export function markLive(store: Store, id: string): void {
  const folder = folderIn(store, 'live')
  makeFolder(folder)
  writePlainFile(join(folder, id), '')
}

/** Says that a session never came to be. */
export const forgetLive = (store: Store, id: string): void => rmSync(join(folderIn(store, 'live'), id), { force: true })

/** Says that a session is over. May be repeated. */
export function markOver(store: Store, id: string, at: number): void {
  appendLine(endedFile(store), JSON.stringify({ v: 1, id, at }), { durable: false })
  rmSync(join(folderIn(store, 'live'), id), { force: true })
}

/** The sessions that are, or may be, at work, in the order of their tree. */
export function liveIds(store: Store): string[] {
  return entriesIn(folderIn(store, 'live'))
    .map(({ name }) => name)
    .filter(isSessionId)
    .sort(compareIds)
}

/** The sessions that ended last, at most so many, the newest first. */
function lastOver(store: Store, countMax: number): string[] {
  const ids = new Set<string>()
  if (countMax === 0) return []
  for (const line of readLinesBackwards(endedFile(store))) {
    const id = parseRecord(line)?.['id']
    if (typeof id === 'string' && isSessionId(id) && isThere(store, id)) ids.add(id)
    if (ids.size === countMax) break
  }
  return [...ids]
}

/** What was removed has ended too, and is not listed any more. */
const isThere = (store: Store, id: string) => statAt(join(store.path, 'sessions', id)) !== undefined

/** The sessions that are at work, and at most so many that ended last, in the order of their tree. */
export const idsAtHand = (store: Store, overMax: number): string[] =>
  [...new Set([...liveIds(store), ...lastOver(store, overMax)])].sort(compareIds)
