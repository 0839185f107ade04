// Removing a session that is over, with all that it has left in the store; what was told on the bus stays.
import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { entriesIn, fileIn, folderIn, orRefused } from '@switchyard/ground/disk'
import { Failure, systemCode } from '@switchyard/ground/failure'
import { ulid } from '@switchyard/ground/ulid'
import type { Store } from '@switchyard/topic'
import { endAll } from '../session/end-left.ts'
import { forgetLive } from '../session/live.ts'
import { readAlias } from '../session/names.ts'
import { readSession } from '../session/read-session.ts'
import type { Scribe } from '../session/record.ts'
import { noteRemoved } from '../session/removed.ts'
import { makeFolderIn, sessionFolder } from '../session/scope-store.ts'

/** Exits 5 where one of them has a worktree of its own: its work would be without a name. */
export function requireNoWorktree(store: Store, ids: readonly string[]): void {
  const names = new Set(entriesIn(folderIn(store, 'worktrees')).map(({ name }) => name))
  const owner = ids.find((id) => names.has(`${id}.json`))
  if (owner === undefined) return
  throw new Failure('conflict', `session ${owner} has a worktree of its own, which --purge does not remove`, {
    hint: `scope abort ${owner}, then scope worktree drop ${owner}`,
    retryable: false,
  })
}

/** A session and all that it has started, the deepest first. */
export function treeOf(store: Store, id: string): string[] {
  const session = readSession(store, id)
  return session === undefined ? [] : [...session.children.flatMap((child) => treeOf(store, child)), id]
}

/**
 * Removes it: its folder goes in one step, so that whoever looks finds all of it or nothing. May be repeated, also
 * after a kill; what a killed one left is removed by the next.
 */
export async function purgeSession(scribe: Scribe, id: string): Promise<void> {
  const { store } = scribe
  const alias = readSession(store, id)?.created.alias ?? null
  noteRemoved(store, { id, alias: alias ?? '', at: scribe.now() })
  orRefused(`session ${id} was to be removed`, () => {
    moveAway(store, sessionFolder(store, id), `${id}.${ulid(scribe.now())}`)
    if (alias !== null && readAlias(store, alias) === id) rmSync(fileIn(store, `names/${alias}`), { force: true })
    forgetLive(store, id)
  })
  // Whoever resumed it at the same moment has started what has no session any more.
  await endAll(scribe, { id })
  clearRemoved(store)
}

/** Moves a folder of the store out of everybody's way, in one step; one that is gone is as wanted. */
export function moveAway(store: Store, folder: string, name: string): void {
  const removed = makeFolderIn(store, 'removed')
  moveIfThere(folder, join(removed, name))
}

/** Removes what was moved away, also by a call that was killed. */
export const clearRemoved = (store: Store): void =>
  orRefused('what was removed was to be cleared away', () =>
    rmSync(folderIn(store, 'removed'), { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }),
  )

function moveIfThere(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
  }
}
