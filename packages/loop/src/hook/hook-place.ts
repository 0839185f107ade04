import { locateStore, realPathIfThere, type Store } from '@switchyard/topic'
import { hasBinding } from '../session/session-topic.ts'
import type { Session } from '../state/event-schema.ts'
import type { HostEvent } from './host-event.ts'

type Env = Readonly<Record<string, string | undefined>>

/**
 * The bus of the folder where the agent is, of the project it was started in, or of the current folder: an agent walks
 * about, and its loop stays where it began. The first that knows the session, else the first that there is.
 */
export function storeOf(
  event: HostEvent,
  session: Session,
  { env, cwd }: { env: Env; cwd: string },
): Store | undefined {
  const stores: Store[] = []
  for (const folder of new Set([event.cwd, env['CLAUDE_PROJECT_DIR'], env['GEMINI_PROJECT_DIR'], cwd])) {
    if (folder === undefined || realPathIfThere(folder) === undefined) continue
    const store = locateStore({ cwd: folder, env, name: '.jwz', variable: 'JWZ_STORE' })
    if (hasBinding(store, session)) return store
    stores.push(store)
  }
  return stores[0]
}
