import { isWithin } from '../worktree/commits.ts'
import { headOf } from '../worktree/ref-files.ts'
import { initSubmodules } from '../worktree/submodules.ts'
import { placeOf } from '../worktree/tree-place.ts'
import { checkOut, resetTo, salvage, takeBranch } from '../worktree/worktree.ts'
import { conflictReport } from './conflict-report.ts'
import type { LandingJob, LandingRun } from './landing-run.ts'

/** Files that were changed on both sides, and what the other side did with them. */
export type Conflict = { files: string[]; output: string }

type Rebasing = Pick<LandingRun, 'git' | 'repository' | 'id' | 'identity'>

/** Rebases the worktree onto `tip`. On a conflict it is left as it was before. */
export async function rebaseOnto(
  { git, repository, id, identity }: Rebasing,
  job: LandingJob,
  tip: string,
): Promise<Conflict | undefined> {
  await takeBranch(git, repository, job.worktree, id)
  const at = placeOf(repository, job.worktree)
  const head = await headOf(git, at)
  if (await isWithin(git, at, tip, head)) return undefined
  // By its name, our own branch is the one that is moved, wherever HEAD leads at that moment.
  const rebase = ['rebase', '--quiet', '--empty=drop', '--no-autosquash', tip, job.worktree.branch]
  const rebased = await git.try(at, rebase, { env: identity })
  if (rebased.exitCode === 0) {
    const message = await git.run(at, ['log', '-1', '--format=%B', 'HEAD'])
    const isOurs = job.made === head && message.trimEnd().endsWith(`\nIssue: ${job.issue.id}`)
    job.made = isOurs ? await headOf(git, at) : undefined
    await initSubmodules(git, at, `${repository.commonDir}/modules`)
    return undefined
  }
  const unmerged = await git.try(at, ['diff', '--name-only', '--diff-filter=U', '-z'])
  const files = unmerged.stdout.split('\0').filter((file) => file !== '')
  const output = await conflictReport(git, at, { head, tip, files })
  await checkOut(git, repository, job.worktree, head)
  return { files, output }
}

/** Sets the commits of the worktree aside and the worktree to `tip`, where the change is made again. */
export async function startOver({ git, repository, id }: Rebasing, job: LandingJob, tip: string): Promise<string> {
  const at = placeOf(repository, job.worktree)
  job.salvage = await salvage(git, repository, job.worktree.slug, id, await headOf(git, at))
  await resetTo(git, repository, job.worktree, tip)
  await initSubmodules(git, at, `${repository.commonDir}/modules`)
  job.from = tip
  job.made = undefined
  return job.salvage
}
