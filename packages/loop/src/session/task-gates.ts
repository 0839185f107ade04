// A task that a session works where it is: no worktree, no landing; a command may decide whether it is done.

import { cleanEnv, execute } from '@switchyard/exec'
import { failureText } from '../failure-text.ts'
import { openGit } from '../git.ts'
import { findPass } from '../land/verified.ts'
import { uncommittedIn } from '../land/verify-here.ts'
import { openPlainChildren } from '../run/children.ts'
import type { WorkInput } from '../state/work-schema.ts'
import { treeOf } from '../worktree/worktree.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { SessionRun } from './fold-session-run.ts'
import { tooSlow } from './too-slow.ts'
import type { TurnWorld } from './turn-world.ts'

/** What the task's tree holds now; null when it lies in no repository. */
export function treeOfTask({ started }: SessionRun, { env }: TurnWorld): Promise<string | null> {
  return started.cwd === undefined ? Promise.resolve(null) : fingerprintOf(started.cwd, cleanEnv(env))
}

/** Runs the check of a task, for as long as the hook may take, unless `loop verify` has passed on the same files. */
export async function checkTask({ started, id }: SessionRun, world: TurnWorld): Promise<WorkInput> {
  const { env, store, now, until } = world
  const cwd = started.cwd ?? store.base
  const kept = await passAt(cwd, started.verify, world)
  if (kept === 'passed') return { of: 'verify', passed: true, changed: true, output: '' }
  const timeoutMs = Math.max(1, until - now())
  const { exitCode, timedOut, output } = await execute(
    { shell: started.verify },
    { cwd, env: { ...cleanEnv(env), JWZ_STORE: store.path, LOOP_RUN_ID: id }, timeoutMs, outputBytesMax: 1024 * 1024 },
  )
  if (!timedOut) {
    const failed = { what: 'the verify command', command: started.verify, exitCode, output }
    return { of: 'verify', passed: exitCode === 0, changed: true, output: exitCode === 0 ? '' : failureText(failed) }
  }
  const told = tooSlow(started.verify, kept !== 'elsewhere')
  return { of: 'verify', passed: false, changed: true, cut: true, output: told }
}

/** Whether the check has passed on what is committed. `loop verify` works at the top of a tree, and nowhere `elsewhere`. */
async function passAt(cwd: string, command: string, { env, now }: TurnWorld): Promise<'passed' | 'none' | 'elsewhere'> {
  const git = openGit(openPlainChildren(env))
  const asked = ['rev-parse', '--path-format=absolute', '--git-common-dir', '--show-toplevel', '--show-prefix']
  const [commonDir, top, prefix] = (await git.try(cwd, asked)).stdout.split('\n')
  if (commonDir === undefined || !top || prefix !== '') return 'elsewhere'
  const head = await git.try(top, ['rev-parse', '--verify', '--quiet', 'HEAD'])
  if (head.exitCode !== 0 || (await uncommittedIn(git, top)).length > 0) return 'none'
  const tree = await treeOf(git, top, head.stdout.trim())
  return findPass(commonDir, tree, command, now()) === undefined ? 'none' : 'passed'
}
