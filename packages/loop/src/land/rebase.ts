import type { Git } from '../git.ts'
import { initSubmodules } from '../worktree/submodules.ts'
import { resetTo, salvage } from '../worktree/worktree.ts'
import { conflictReport } from './conflict-report.ts'
import type { LandingJob, LandingRun } from './landing-run.ts'

/** Files that were changed on both sides, and what the other side did with them. */
export type Conflict = { files: string[]; output: string }

/** Rebases the worktree onto `tip`. On a conflict it is left as it was before. */
export async function rebaseOnto(run: LandingRun, job: LandingJob, tip: string): Promise<Conflict | undefined> {
  const { git } = run
  const { path } = job.worktree
  const head = await headOf(git, path)
  if ((await git.try(path, ['merge-base', '--is-ancestor', tip, head])).exitCode === 0) return undefined
  const rebase = ['rebase', '--quiet', '--empty=drop', '--no-autosquash', tip]
  const rebased = await git.try(path, rebase, { env: run.identity })
  if (rebased.exitCode === 0) {
    const message = await git.run(path, ['log', '-1', '--format=%B', 'HEAD'])
    const isOurs = job.made === head && message.trimEnd().endsWith(`\nIssue: ${job.issue.id}`)
    job.made = isOurs ? await headOf(git, path) : undefined
    await initSubmodules(git, path, `${run.repository.commonDir}/modules`)
    return undefined
  }
  const unmerged = await git.try(path, ['diff', '--name-only', '--diff-filter=U', '-z'])
  const files = unmerged.stdout.split('\0').filter((file) => file !== '')
  const output = await conflictReport(git, path, { head, tip, files })
  await git.try(path, ['rebase', '--abort'])
  return { files, output }
}

/** Sets the commits of the worktree aside and the worktree to `tip`, where the change is made again. */
export async function startOver(run: LandingRun, job: LandingJob, tip: string, files: string[]): Promise<string> {
  const { git, repository, journal } = run
  const { path, slug } = job.worktree
  job.salvage = await salvage(git, repository, slug, run.id, await headOf(git, path))
  await resetTo(git, job.worktree, tip)
  await initSubmodules(git, path, `${repository.commonDir}/modules`)
  job.from = tip
  job.made = undefined
  const { issue, worker } = job
  await journal.record({ event: 'conflict', issue: issue.id, worker, files, salvage: job.salvage })
  return job.salvage
}

/** The commit that a worktree is at. */
export const headOf = (git: Git, path: string) => git.run(path, ['rev-parse', '--verify', 'HEAD'])
