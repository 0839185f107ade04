import { statAt } from '@switchyard/ground/at-path'
import { judgeHolder, lockOf, nameHolder, readNote } from './owner-note.ts'

/**
 * What the lock beside a file says: `free`, `held` by a living process, `left` by a dead one (the next section takes it
 * over by itself), or `unknown` where only time can tell. `holder` is in words.
 */
export type LockState = { state: 'free' | 'held' | 'left' | 'unknown'; holder: string | undefined }

const stateOf = { alive: 'held', self: 'held', dead: 'left', unknown: 'unknown' } as const

/** Looks at the lock of the log at `path`, and changes nothing. */
export function lockState(path: string): LockState {
  const lock = lockOf(path)
  if (statAt(lock.directory) === undefined) return { state: 'free', holder: undefined }
  return { state: stateOf[judgeHolder(lock, readNote(lock))], holder: nameHolder(lock) }
}
