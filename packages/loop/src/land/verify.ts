// Whether what a worktree is at passes the verify command: as a process of this run has seen, else as the command says.
import type { Git } from '../programs/git.ts'
import { endSurvivors } from '../programs/survivors.ts'
import { runVerify, type Verified } from '../programs/verify-command.ts'
import { issueEnvironment } from '../programs/worker-environment.ts'
import { treeOf } from '../worktree/commits.ts'
import { headOf } from '../worktree/ref-files.ts'
import type { Repository } from '../worktree/repository.ts'
import type { Worktree } from '../worktree/slug.ts'
import { placeOf } from '../worktree/tree-place.ts'
import { resetTo, takeBranch } from '../worktree/worktree.ts'
import type { LandingJob, LandingRun } from './landing-run.ts'
import { findPass, keepPass } from './verified.ts'

type Verification = Pick<Verified, 'passed' | 'output'>

/** What a verify command is run with: where, for which run, and who is told. */
type Verifying = Pick<
  LandingRun,
  'id' | 'git' | 'repository' | 'env' | 'stores' | 'verify' | 'runWork' | 'timeoutMs' | 'journal' | 'now'
>

/**
 * Whether the verify command passes on the worktree as it is committed, which is recorded; `isAgain`: that it has passed
 * in this run already is no news. What it leaves in the worktree is taken away; a pass is kept for whichever process of
 * this run asks next.
 */
export async function verifyWorktree(
  { id, git, repository, env, stores, verify, runWork, timeoutMs, journal, now }: Verifying,
  job: LandingJob,
  stop: AbortSignal,
  { isAgain = false } = {},
): Promise<Verification> {
  const { worktree, issue, worker, iteration } = job
  const { head, tree } = await commitIn(git, repository, worktree, id)
  const about = { tree, command: verify, run: id }
  const place = { commonDir: repository.commonDir, env }
  const verified = { event: 'verified', issue: issue.id, worker, iteration } as const
  if (findPass(place, about, now()) !== undefined) {
    if (!isAgain) await journal.tell({ ...verified, passed: true, exit_code: 0, reused: true })
    return { passed: true, output: '' }
  }
  const where = { at: placeOf(repository, worktree), cwd: worktree.path, timeoutMs, signal: stop }
  const ended = await runVerify(runWork, verify, { ...where, env: issueEnvironment({ id, stores }, job) })
  await endSurvivors({ run: id, worktree: worktree.path, keepsSetUp: true })
  await resetTo(git, repository, worktree, head)
  if (ended.passed) keepPass(place, { ...about, at: now() })
  if (!stop.aborted) await journal.tell({ ...verified, passed: ended.passed, exit_code: ended.exitCode })
  return ended
}

/** What the worktree is at, on its own branch, and the files of that. */
async function commitIn(git: Git, repository: Repository, worktree: Worktree, run: string) {
  await takeBranch(git, repository, worktree, run)
  const at = placeOf(repository, worktree)
  const head = await headOf(git, at)
  return { head, tree: await treeOf(git, at, head) }
}
