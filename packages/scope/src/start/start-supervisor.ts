// Starting the supervisor of a session where its agent is to work: in a terminal of its own, or without one.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { processOf } from '@switchyard/ground/process-name'
import type { Store } from '@switchyard/topic'
import type { ProcessOf } from '../session/event-schema.ts'
import { sessionFolder } from '../session/scope-store.ts'
import { openTerminal } from '../tmux/terminal.ts'
import { tmuxNameOf } from '../tmux/tmux.ts'
import { keepEnv } from './kept-env.ts'
import type { Launch } from './launch-schema.ts'
import { startDetached, supervisorMark } from './supervisor.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Starts it and names its process. Exits 8 when tmux refuses. */
export async function startSupervisor(
  store: Store,
  id: string,
  { env, cwd, backend }: Pick<Launch, 'cwd' | 'backend'> & { env: Env },
): Promise<ProcessOf> {
  if (backend === 'headless') return startDetached(store, id, { env, cwd })
  keepEnv(store, id, env)
  writeFileSync(join(sessionFolder(store, id), 'tmux_session'), `${tmuxNameOf(id)}\n`)
  return processOf(await openTerminal({ store, env, cwd }, { id, cwd, told: supervisorMark(store, id) }))
}
