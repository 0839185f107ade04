import { Failure } from '@switchyard/ground/failure'
import type { Store } from '@switchyard/topic'
import type { Session } from '../session/fold-session.ts'
import { liveIds } from '../session/live.ts'
import { readSession } from '../session/read-session.ts'
import { isOver } from '../session/transitions.ts'

/** A session that is not over and works in a folder or below it, but for some; undefined without one. */
export const workerIn = (store: Store, path: string, but: ReadonlySet<string>): string | undefined =>
  liveIds(store).find((id) => !but.has(id) && worksIn(readSession(store, id), path))

/** Fails as `conflict` where there is one. */
export function requireNobodyIn(store: Store, path: string, but: ReadonlySet<string>): void {
  const other = workerIn(store, path, but)
  if (other === undefined) return
  throw new Failure('conflict', `session ${other} works in ${path} too`, { hint: `scope wait ${other}` })
}

function worksIn(session: Session | undefined, path: string): boolean {
  if (session === undefined || isOver(session.state)) return false
  const { cwd } = session.created
  return cwd === path || cwd.startsWith(`${path}/`)
}
