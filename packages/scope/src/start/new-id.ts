// The id of a new session. Its folder is the claim: of two who want the same number one makes it, the other goes on.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { statAt } from '@switchyard/ground/at-path'
import { fileIn, orRefusedLater, readStored } from '@switchyard/ground/disk'
import { systemCode } from '@switchyard/ground/failure'
import { writeWhole } from '@switchyard/ground/whole-file'
import { transact } from '@switchyard/jsonl'
import type { Store } from '@switchyard/topic'
import { forgetLive } from '../session/live.ts'
import { readSession } from '../session/read-session.ts'
import { removedIds } from '../session/removed.ts'
import { createScope, sessionFolder } from '../session/scope-store.ts'

/** Makes the folder of a new session, a child of `parent` or a root; returns its id, which no other ever had. */
export async function newId(store: Store, parent: string | undefined): Promise<string> {
  createScope(store)
  const counter = join(parent === undefined ? store.path : sessionFolder(store, parent), 'next_id')
  return orRefusedLater(`a session was to be made in ${store.path}`, () =>
    transact(counter, () => {
      const counted = /^\d+/.exec(readStored(counter) ?? '')?.[0]
      // A counter that is lost knows nothing of the ids whose folders are gone.
      const gone = counted === undefined ? removedIds(store) : undefined
      for (let number = Number(counted ?? 0); ; number++) {
        const id = parent === undefined ? String(number) : `${parent}.${number}`
        if (gone !== undefined && (gone.has(id) || hasWorktree(store, id))) continue
        const folder = sessionFolder(store, id)
        if (!isMadeNow(folder)) continue
        try {
          writeWhole(counter, `${counter}.draft`, `${number + 1}\n`)
        } catch (error) {
          rmSync(folder, { recursive: true, force: true })
          throw error
        }
        return id
      }
    }),
  )
}

/** Makes the folder of what a loop starts. Only that loop gives this id, and may again while nothing came of it. */
export function claimId(store: Store, id: string): string {
  createScope(store)
  isMadeNow(sessionFolder(store, id))
  return id
}

/**
 * Gives an id back that no session came to have. The folder stays where a worktree was made for it, which is cleared
 * away by that, and where the set-up of one has failed, whose output is in it.
 */
export function giveBack(store: Store, id: string): void {
  if (readSession(store, id) !== undefined) return
  try {
    forgetLive(store, id)
    const hasSetUp = statAt(join(sessionFolder(store, id), 'setup.log')) !== undefined
    if (!hasWorktree(store, id) && !hasSetUp) rmSync(sessionFolder(store, id), { recursive: true, force: true })
  } catch (error) {
    // Why there is no session is told, and not what is left of it.
    if (systemCode(error) === undefined) throw error
  }
}

/** Whether a worktree is told to be that of a session, which need not be there any more. */
const hasWorktree = (store: Store, id: string) => statAt(fileIn(store, `worktrees/${id}.json`)) !== undefined

function isMadeNow(folder: string): boolean {
  try {
    mkdirSync(folder)
    return true
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error
    return false
  }
}
