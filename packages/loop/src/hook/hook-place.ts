import { existsSync } from '@switchyard/ground/machine'
import { locateStore, type Store } from '@switchyard/topic'
import { hear } from '../record/session-topic.ts'
import type { Session } from '../state/event-schema.ts'

/**
 * Where a hook is: `heard` says whether the session has, or had, a loop, and whether it was silent for too long. The
 * store is missing where the host names no folder that is there.
 */
export type HookPlace = {
  readonly store: Store | undefined
  /** The folder whose store it is. */
  readonly folder?: string | undefined
  readonly heard: ReturnType<typeof hear>
}

type Look = { folders: readonly (string | undefined)[]; env: Readonly<Record<string, string | undefined>>; now: number }

/**
 * The bus of the first folder that knows the session, else of the first that is there: an agent walks about, and its
 * loop stays where it began. Notes that the session was heard.
 */
export function findPlace(session: Session, { folders, env, now }: Look): HookPlace {
  let first: HookPlace | undefined
  for (const folder of new Set(folders)) {
    if (folder === undefined || !existsSync(folder)) continue
    const store = locateStore({ cwd: folder, env, name: '.jwz', variable: 'JWZ_STORE' })
    const heard = hear(store, session, now)
    if (heard !== 'unknown') return { store, folder, heard }
    first ??= { store, folder, heard }
  }
  return first ?? { store: undefined, heard: 'unknown' }
}
