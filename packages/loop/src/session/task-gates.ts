// A task that a session works where it is: no worktree, no landing; a command may decide whether it is done.
import { cleanEnv, execute } from '@switchyard/exec'
import { tail } from '../run/prompt.ts'
import type { WorkInput } from '../state/work-schema.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { SessionRun } from './fold-session-run.ts'
import type { TurnWorld } from './world.ts'

const outputBytesMax = 3584

/** What the task's tree holds now; null when it lies in no repository. */
export function treeOfTask({ started }: SessionRun, { env }: TurnWorld): Promise<string | null> {
  return started.cwd === undefined ? Promise.resolve(null) : fingerprintOf(started.cwd, cleanEnv(env))
}

/** Runs the check of a task, for as long as the hook may take. */
export async function checkTask(
  { started, id }: SessionRun,
  { env, store, now, until }: TurnWorld,
): Promise<WorkInput> {
  const cwd = started.cwd ?? store.base
  const timeoutMs = Math.max(1, until - now())
  const { exitCode, timedOut, output } = await execute(
    { shell: started.verify },
    { cwd, env: { ...cleanEnv(env), JWZ_STORE: store.path, LOOP_RUN_ID: id }, timeoutMs, outputBytesMax: 1024 * 1024 },
  )
  const passed = exitCode === 0 && !timedOut
  const said = timedOut ? tooSlow(started.verify) : tail(output, outputBytesMax)
  return { of: 'verify', passed, changed: true, output: said }
}

/** The same text each time, so that the breaker counts it. */
export const tooSlow = (command: string) =>
  `The command did not end within the time of a hook and was stopped: ${command}\n` +
  'Run `loop verify` yourself, as long as it takes; what passes there counts here. Then stop again.'
