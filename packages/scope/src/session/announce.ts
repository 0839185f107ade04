// Telling the user of what has happened to a session: whoever wrote it down, and nobody else, starts what tells it, and
// does not wait for that.
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { cleanEnv } from '@switchyard/exec'
import { readIfThere } from '@switchyard/ground/disk'
import { isFailure, systemCode } from '@switchyard/ground/failure'
import type { Store } from '@switchyard/topic'
import { configPath } from '../config/config-path.ts'
import type { SessionEvent } from './event-schema.ts'

type Env = Readonly<Record<string, string | undefined>>

/** No mark of a session: what is told of an end is not ended with it. */
const unmarked = { SCOPE_SESSION_ID: '', SCOPE_SUPERVISES: '', SCOPE_HOOKS: '' }

/** Starts `scope notify` for each event, where the settings have a command for it. */
export function announce(store: Store, events: readonly SessionEvent[], env: Env): void {
  if (!isWanted(env)) return
  const scope = join(__dirname, '..', 'bin', 'scope.cjs')
  for (const { session, id } of events) {
    const child = spawn(process.execPath, [scope, 'notify', session, id], {
      ...{ cwd: dirname(store.path), detached: true, stdio: 'ignore' },
      env: { ...cleanEnv(env), ...unmarked, SCOPE_DIR: store.path },
    })
    // Who cannot be told loses a notice; the session goes on.
    child.on('error', () => undefined)
    child.unref()
  }
}

/** Read whole by what tells it: here it must cost next to nothing, and fail nobody. */
function isWanted(env: Env): boolean {
  try {
    return readIfThere(configPath(env))?.includes('"notify"') === true
  } catch (error) {
    if (systemCode(error) === undefined && !isFailure(error)) throw error
    return false
  }
}
