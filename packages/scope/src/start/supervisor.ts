// The process that keeps a session going: started by whoever spawns it, and left alone.
import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { cleanEnv, type Environment } from '@switchyard/exec'
import { Failure } from '@switchyard/ground/failure'
import { processOf } from '@switchyard/ground/process-name'
import type { Store } from '@switchyard/topic'
import type { ProcessOf } from '../session/event-schema.ts'
import { sessionFolder } from '../session/scope-store.ts'
import { depthOf, rootOf } from '../session/session-id.ts'

type Env = Readonly<Record<string, string | undefined>>

/** What a session's agent, and all that it starts, finds in its environment. */
export function sessionEnvironment(store: Store, id: string, env: Env): Record<string, string> {
  return {
    ...cleanEnv(env),
    SCOPE_DIR: store.path,
    SCOPE_SESSION_ID: id,
    SCOPE_SUPERVISES: '',
    SCOPE_HOOKS: '',
    SCOPE_ROOT_ID: rootOf(id),
    SCOPE_DEPTH: String(depthOf(id)),
    JWZ_AGENT: `scope-${id}`,
  }
}

/**
 * What tells a supervisor its store, and others whose it is. It is no process of the session, nor of the one that
 * started it: whoever ends what a session has left does not end it with that.
 */
export const supervisorMark = (store: Store, id: string) => ({
  ...{ SCOPE_DIR: store.path, SCOPE_SESSION_ID: '', SCOPE_SUPERVISES: id },
})

/** Whether a process keeps a session going, by its environment: it is not ended with the one that started it. */
export const isSupervisor = (environment: Environment): boolean => Boolean(environment.get('SCOPE_SUPERVISES'))

/** Starts the supervisor of a session that has no screen. */
export function startDetached(store: Store, id: string, { env, cwd }: { env: Env; cwd: string }): ProcessOf {
  const log = openSync(join(sessionFolder(store, id), 'supervisor.log'), 'a')
  try {
    const scope = join(__dirname, '..', 'bin', 'scope.cjs')
    const told = { ...cleanEnv(env), ...supervisorMark(store, id) }
    const child = spawn(process.execPath, [scope, 'supervise', id], {
      ...{ cwd, env: told, detached: true, stdio: ['ignore', log, log] },
    })
    child.on('error', () => undefined)
    child.unref()
    if (child.pid === undefined) throw new Failure('outside', `the supervisor of session ${id} cannot be started`)
    return processOf(child.pid)
  } finally {
    closeSync(log)
  }
}
