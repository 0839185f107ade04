// Which trees of sessions have had their time: all in them is over, and for long enough.
import { lstatIfThere } from '@switchyard/ground/disk'
import type { Store } from '@switchyard/topic'
import { isAtRest } from '../session/fold-session.ts'
import { allIds, readSession } from '../session/read-session.ts'
import { sessionFolder } from '../session/scope-store.ts'
import { rootOf } from '../session/session-id.ts'

/** Milliseconds for which a folder without a session may still become one. */
const halfMadeMs = 3_600_000

/** `olderMs`: how long it must be over; `keep`: so many of the last stay, whatever their age. */
export type Wish = { readonly olderMs: number; readonly keep: number }

/** The sessions of a tree, each before its children, and when the last of them ended. */
export type Tree = { readonly ids: readonly string[]; readonly runs: ReadonlySet<string>; readonly endedAt: number }

/** The trees that may go, those that ended first before the others. */
export function dueTrees(store: Store, { olderMs, keep }: Wish, now: number): Tree[] {
  const groups = new Map<string, string[]>()
  for (const id of allIds(store)) groups.set(rootOf(id), [...(groups.get(rootOf(id)) ?? []), id])
  const over = [...groups.values()].flatMap((ids) => treeOf(store, ids, now) ?? [])
  const byAge = over.sort((one, other) => one.endedAt - other.endedAt)
  return byAge.slice(0, Math.max(0, byAge.length - keep)).filter(({ endedAt }) => endedAt <= now - olderMs)
}

/** Undefined while anything in it is at work, paused, or being made. */
function treeOf(store: Store, ids: readonly string[], now: number): Tree | undefined {
  let endedAt = 0
  const runs = new Set<string>()
  for (const id of ids) {
    const session = readSession(store, id)
    const at = session === undefined ? madeAt(store, id) : session.since
    if (session === undefined ? now - at < halfMadeMs : !isAtRest(session)) return undefined
    const run = session?.created.workflow?.run
    if (run !== undefined) runs.add(run)
    endedAt = Math.max(endedAt, at)
  }
  return { ids, runs, endedAt }
}

/** Whether all sessions of a tree are at rest by now. */
export const isTreeAtRest = (store: Store, { ids }: Pick<Tree, 'ids'>): boolean =>
  ids.every((id) => {
    const session = readSession(store, id)
    return session === undefined || isAtRest(session)
  })

const madeAt = (store: Store, id: string) => lstatIfThere(sessionFolder(store, id))?.mtimeMs ?? 0
