import type { Job, Run } from '../run/run-state.ts'
import { environmentOf } from '../run/run-state.ts'
import { resetTo, treeOf } from '../worktree/worktree.ts'

export type Verification = { passed: boolean; exitCode: number | null; output: string }

/**
 * Runs the verify command in the worktree as it is committed, and takes away what it left there. Remembers the tree
 * it passed on.
 */
export async function verify(run: Run, job: Job, stop: AbortSignal): Promise<Verification> {
  const { path } = job.worktree
  const head = await run.git.run(path, ['rev-parse', '--verify', 'HEAD'])
  const { exitCode, timedOut, output } = await run.runChild(
    { shell: run.verify },
    { cwd: path, onOrphan: 'end', timeoutMs: run.timeoutMs, env: environmentOf(run, job), signal: stop },
  )
  const passed = exitCode === 0 && !timedOut && !stop.aborted
  await resetTo(run.git, job.worktree, head)
  if (passed) job.verified = await treeOf(run.git, path, head)
  const { iteration, issue, worker } = job
  if (!stop.aborted) {
    await run.journal.record({ event: 'verified', issue: issue.id, worker, iteration, passed, exit_code: exitCode })
  }
  return { passed, exitCode, output: timedOut ? `${output}\n(stopped after ${run.timeoutMs} ms)` : output }
}
