// A task that a session works where it is: no worktree, no landing; a command may decide whether it is done.
import type { PassPlace } from '../land/verified.ts'
import { uncommittedIn } from '../land/verify-here.ts'
import { openPlainChildren } from '../programs/children.ts'
import { openGit } from '../programs/git.ts'
import { ceilingOf } from '../programs/git-place.ts'
import { runVerify } from '../programs/verify-command.ts'
import type { SessionRun } from '../state/fold-session-run.ts'
import type { WorkInput } from '../state/work-schema.ts'
import { fingerprintOf } from '../work/fingerprint.ts'
import { treeOf } from '../worktree/commits.ts'
import { treeAround } from '../worktree/tree-place.ts'
import { endOfSlowCheck, startCheck } from './slow-check.ts'
import { tooSlow, tooSlowHere } from './too-slow.ts'
import type { TurnWorld } from './turn-world.ts'

/** What the task's tree holds now; null when it lies in no repository. */
export function treeOfTask({ started }: SessionRun, { env }: TurnWorld): Promise<string | null> {
  return started.cwd === undefined ? Promise.resolve(null) : fingerprintOf(openGit(openPlainChildren(env)), started.cwd)
}

/** Verifies a task, for as long as the hook may take; a command that takes longer goes on by itself. */
export async function verifyTask({ started, id }: SessionRun, world: TurnWorld): Promise<WorkInput> {
  const { env, store, now, until } = world
  const { verify } = started
  const cwd = started.cwd ?? store.root
  const told = { JWZ_STORE: store.path, LOOP_RUN_ID: id }
  const at = await treeAt(cwd, world)
  const check =
    typeof at === 'string' ? undefined : { run: id, command: verify, cwd, store: store.path, told, ...at.of }
  const ended = typeof at === 'string' || check === undefined ? undefined : await endOfSlowCheck(at.place, check, world)
  if (ended === 'running') return { of: 'verify', passed: false, changed: true, cut: true, output: tooSlow(verify) }
  if (ended !== undefined) return { of: 'verify', changed: true, ...ended }
  const where = { cwd, env: { ...ceilingOf(cwd), ...told }, timeoutMs: Math.max(1, until - now()) }
  const { passed, timedOut, output } = await runVerify(openPlainChildren(env), verify, where)
  if (!timedOut) return { of: 'verify', passed, changed: true, output }
  const goesOn = typeof at !== 'string' && check !== undefined && startCheck(at.place, check, now())
  const slow = goesOn ? tooSlow(verify) : tooSlowHere(verify, at === 'uncommitted')
  return { of: 'verify', passed: false, changed: true, cut: true, output: slow }
}

type TreeAt = { readonly place: PassPlace; readonly of: { readonly tree: string; readonly top: string } }

/** The files that a check is about: what is committed, where nothing else is there. */
async function treeAt(cwd: string, { env }: TurnWorld): Promise<TreeAt | 'uncommitted' | 'elsewhere'> {
  const git = openGit(openPlainChildren(env))
  const at = await treeAround(git, cwd)
  if (at === undefined) return 'elsewhere'
  const head = await git.try(at, ['rev-parse', '--verify', '--quiet', 'HEAD'])
  if (head.exitCode !== 0 || (await uncommittedIn(git, at)).length > 0) return 'uncommitted'
  const tree = await treeOf(git, at, head.stdout.trim())
  return { place: { commonDir: at.commonDir, env }, of: { tree, top: at.workTree } }
}
