// A mark beside the repository's objects that a session has a loop: the bus itself can be removed at any time, and then
// somebody should be told.

import { systemCode } from '@switchyard/ground/failure'
import { dirname, existsSync, join, mkdirSync, rmSync } from '@switchyard/ground/machine'
import { writePlainFile } from '@switchyard/ground/plain-file'
import { fileWord, type Store } from '@switchyard/topic'
import type { Session } from '../state/event-schema.ts'
import { ownFolder } from './own-folder.ts'

/** Notes whether the session has a loop, beside the repository if there is one. A disk that refuses is let be. */
export function markBound(store: Store, session: Session, isBound: boolean): void {
  const path = pathOf(store, session)
  if (path === undefined) return
  try {
    if (isBound) {
      mkdirSync(dirname(path), { recursive: true })
      writePlainFile(path, '')
    } else rmSync(path, { force: true })
  } catch (error) {
    if (systemCode(error) === undefined) throw error
  }
}

/** Whether the session had a loop when it was last noted. */
export function isMarkedBound(store: Store, session: Session): boolean {
  const path = pathOf(store, session)
  return path !== undefined && existsSync(path)
}

function pathOf({ repository }: Store, { host, id }: Session): string | undefined {
  if (repository === undefined || id === '' || id.length > 100) return undefined
  return join(ownFolder(repository.commonDir, 'sessions'), `${host}.${fileWord(id)}`)
}
