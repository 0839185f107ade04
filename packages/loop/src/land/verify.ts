import { endSurvivors } from '../programs/survivors.ts'
import { issueEnvironment } from '../programs/worker-environment.ts'
import type { Journal } from '../record/journal.ts'
import { verifyFailure } from '../text/failure-text.ts'
import { placeOf } from '../worktree/tree-place.ts'
import { resetTo, takeBranch, treeOf } from '../worktree/worktree.ts'
import type { LandingJob, LandingRun } from './landing-run.ts'
import { findPass, keepPass } from './verified.ts'

/**
 * `reused`: the command passed on the same tree before, seen by this run, and was not run again. `output` says why it
 * did not pass; it is empty when it did.
 */
export type Verification = { passed: boolean; exitCode: number | null; output: string; reused: boolean }

/** What a verify command is run with: where, for which run, and who is told. */
type Verifying = Pick<
  LandingRun,
  'id' | 'git' | 'repository' | 'env' | 'stores' | 'verify' | 'runWork' | 'timeoutMs' | 'journal' | 'now'
>

/**
 * Whether the verify command passes on the worktree as it is committed. What it leaves there is taken away; a pass is
 * kept for whichever process of this run asks next.
 */
export async function verify(run: Verifying, job: LandingJob, stop: AbortSignal): Promise<Verification> {
  const { id, stores, repository } = run
  const place = { commonDir: repository.commonDir, env: run.env }
  await takeBranch(run.git, repository, job.worktree, run.id)
  const at = placeOf(repository, job.worktree)
  const head = await run.git.run(at, ['rev-parse', '--verify', 'HEAD'])
  const tree = await treeOf(run.git, at, head)
  const about = { tree, command: run.verify, run: run.id }
  if (findPass(place, about, run.now()) !== undefined) {
    await recordVerified(run.journal, job, { passed: true, exit_code: 0, reused: true })
    return { passed: true, exitCode: 0, output: '', reused: true }
  }
  const { timeoutMs } = run
  const { exitCode, timedOut, output } = await run.runWork(
    { shell: run.verify },
    {
      ...{
        cwd: job.worktree.path,
        onOrphan: 'end',
        timeoutMs,
        env: issueEnvironment({ id, stores }, job),
        signal: stop,
      },
      ...{ at, verifies: true },
    },
  )
  await endSurvivors({ run: run.id, worktree: job.worktree.path, keepsSetUp: true })
  const passed = exitCode === 0 && !timedOut && !stop.aborted
  await resetTo(run.git, repository, job.worktree, head)
  if (passed) keepPass(place, { ...about, at: run.now() })
  if (!stop.aborted) await recordVerified(run.journal, job, { passed, exit_code: exitCode })
  const timedOutMs = timedOut ? timeoutMs : undefined
  const why = passed ? '' : verifyFailure({ command: run.verify, exitCode, output, timedOutMs })
  return { passed, exitCode, output: why, reused: false }
}

type Verified = { passed: boolean; exit_code: number | null; reused?: boolean }

function recordVerified(journal: Journal, { iteration, issue, worker }: LandingJob, verified: Verified): Promise<void> {
  return journal.tell({ event: 'verified', issue: issue.id, worker, iteration, ...verified })
}
