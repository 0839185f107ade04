// Where the sessions of a repository are: the folder `.scope` beside its other stores, one for all its worktrees.
import type { Context } from '@switchyard/cli-kit'
import { folderIn, makeFolder } from '@switchyard/ground/disk'
import { Failure } from '@switchyard/ground/failure'
import { join } from '@switchyard/ground/machine'
import { createHidden, isMade, locateStore, type Store } from '@switchyard/topic'

/** The store of a call; nothing need exist yet. Children are told it by SCOPE_DIR. */
export function openScope({ cwd, env }: Pick<Context, 'cwd' | 'env'>): Store {
  return locateStore({ cwd, env, name: '.scope', variable: 'SCOPE_DIR' })
}

/** Makes the store where there is none; git does not see it. */
export const createScope = (store: Store): void => createHidden(store, 'sessions')

/** The store of a call that asks about sessions. Exits 3 where none was ever started. */
export function needScope(call: Pick<Context, 'cwd' | 'env'>): Store {
  const store = openScope(call)
  if (isMade(store, 'sessions')) return store
  throw new Failure('notFound', `there are no sessions in ${store.path}`, {
    hint: 'start one: scope spawn "what to do"',
  })
}

/** Makes a folder of the store where there is none; returns its path. Fails where something else has its place. */
export function makeFolderIn(store: Store, name: string): string {
  if (!isMade(store, name)) makeFolder(folderIn(store, name))
  return folderIn(store, name)
}

/** The folder of all sessions. Fails as `conflict` where a link is. */
export const sessionsFolder = (store: Store) => folderIn(store, 'sessions')

/** The folder of one session, which need not exist. Fails as `conflict` where a link is. */
export const sessionFolder = (store: Store, id: string) => folderIn(store, `sessions/${id}`)

/** The log of a session. */
export const eventsFile = (store: Store, id: string) => join(sessionFolder(store, id), 'events.jsonl')

/** What holds back others while a session is paused, resumed or removed; it lies beside its folder. */
export const sessionLock = (store: Store, id: string) => sessionFolder(store, id)
