// Which sessions are not over, and which ended last: kept beside the sessions, so that nobody opens ten thousand to
// list five. Both are hints, which the logs of the sessions overrule.
import { statAt } from '@switchyard/ground/at-path'
import { entriesIn, folderIn } from '@switchyard/ground/disk'
import { systemCode } from '@switchyard/ground/failure'
import { join, mkdirSync, pid, renameSync, rmSync } from '@switchyard/ground/machine'
import { writePlainFile } from '@switchyard/ground/plain-file'
import { appendLine, parseRecord, readLinesBackwards } from '@switchyard/jsonl'
import type { Store } from '@switchyard/topic'
import { allIds, readIfOpen } from './read-session.ts'
import { makeFolderIn, sessionsFolder } from './scope-store.ts'
import { compareIds, isSessionId } from './session-id.ts'
import { isOver } from './transitions.ts'

const endedFile = (store: Store) => join(store.path, 'ended.jsonl')

/** Says that a session is, or may be, at work. Before its log says so: no reader may miss one. */
export function markLive(store: Store, id: string): void {
  const folder = folderIn(store, 'live')
  if (statAt(folder) === undefined) restoreLive(store)
  writePlainFile(join(makeFolderIn(store, 'live'), id), '')
}

/** Takes the mark of a session away: it is over, or never came to be. */
export const forgetLive = (store: Store, id: string): void => rmSync(join(folderIn(store, 'live'), id), { force: true })

/** Says that a session is over. May be repeated. */
export function markOver(store: Store, id: string, at: number): void {
  appendLine(endedFile(store), JSON.stringify({ v: 1, id, at }), { durable: false })
  forgetLive(store, id)
}

/** The sessions that are, or may be, at work, in the order of their tree. */
export function liveIds(store: Store): string[] {
  const folder = folderIn(store, 'live')
  if (statAt(folder)?.isDirectory() !== true) return restoreLive(store)
  return entriesIn(folder)
    .map(({ name }) => name)
    .filter(isSessionId)
    .sort(compareIds)
}

/** Marks anew what is at work by the logs, where the folder of the marks is gone; returns it. Whole, or not at all. */
function restoreLive(store: Store): string[] {
  if (statAt(sessionsFolder(store)) === undefined) return []
  const ids = allIds(store).filter((id) => !isOver(readIfOpen(store, id)?.state ?? 'failed'))
  const draft = folderIn(store, `live.${pid}.draft`)
  try {
    mkdirSync(draft, { recursive: true })
    for (const id of ids) writePlainFile(join(draft, id), '')
    renameSync(draft, folderIn(store, 'live'))
  } catch (error) {
    // Somebody else was quicker, or this user may only read: the marks are a hint.
    if (systemCode(error) === undefined) throw error
    rmSync(draft, { recursive: true, force: true })
  }
  return ids
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
