// Who calls, for verbs by which a worker could pass its own work: the sessions whose agents stand above this process.
import { ancestors } from '@switchyard/exec'
import type { Store } from '@switchyard/topic'

type Env = Readonly<Record<string, string | undefined>>

/** The sessions of this store that this process was started in, the nearest first, by the environments above it. */
export function callingSessions(store: Store, env: Env): string[] {
  const above = [env, ...ancestors().map((ancestor) => ancestor.env)]
  return above.flatMap((one) => {
    const id = one['SCOPE_SESSION_ID'] || one['SCOPE_SUPERVISES']
    return one['SCOPE_DIR'] === store.path && id ? [id] : []
  })
}

/** Whether a session is another one, or was started by it at any depth. */
export const isWithin = (id: string, other: string) =>
  id === other || id.startsWith(`${other}.`) || id.startsWith(`${other}-`)
