// A turn of the agent of an issue: what it is asked, and what it left in the worktree.
import { uncommittedIn } from '../land/verify-here.ts'
import type { WorkPlace } from '../programs/run-work.ts'
import { endSurvivors } from '../programs/survivors.ts'
import { issueEnvironment } from '../programs/worker-environment.ts'
import type { WorkInput } from '../state/work-schema.ts'
import { commitChanges, hasChanged } from '../work/commit-changes.ts'
import { treeOf } from '../worktree/commits.ts'
import { placeOf } from '../worktree/tree-place.ts'
import { adoptCommit } from '../worktree/worktree.ts'
import type { Turn } from './drive.ts'
import type { Job, Run } from './run-state.ts'
import { endTurn, takeTurn } from './turn.ts'

/** One turn of its agent. Undefined when that was interrupted while it was limited. */
export async function callForIssue(run: Run, job: Job, step: Turn, stop: AbortSignal): Promise<WorkInput | undefined> {
  const { issue, worktree } = job
  const { id, title, body } = issue
  const record = (await run.tissue.show(id)) ?? issue
  const asked = {
    ...{ name: id, wanted: `# ${title}\n\n${body}`, issue: { id, record }, folder: worktree.path },
    ...{
      base: run.base,
      verify: run.verify,
      env: () => issueEnvironment(run, job),
      place: () => placeOfWork(run, job),
    },
  }
  const answer = await takeTurn(run, job, asked, step, stop)
  await endSurvivors({ run: run.id, worktree: worktree.path, keepsSetUp: true })
  if (answer === undefined) return undefined
  const isOver = answer.words.said === 'done' || answer.words.said === 'nothing'
  const changed = isOver ? await commitChanges(run, job) : await holdsWork(run, job)
  const left = await treeOf(run.git, placeOf(run.repository, worktree), 'HEAD')
  return endTurn(run, job, asked, answer, { changed, left, isCut: stop.aborted })
}

type InGit = Pick<Run, 'git' | 'repository'>

/** What is committed in a sandbox becomes the tip of the branch, as what is committed without one is. */
const placeOfWork = ({ git, repository }: InGit, { worktree }: Job): WorkPlace => ({
  at: placeOf(repository, worktree),
  onCommit: (commit) => adoptCommit(git, repository, worktree, commit),
})

/** Whether a turn that goes on left something, committed or not. */
async function holdsWork({ git, repository }: InGit, job: Job): Promise<boolean> {
  if (await hasChanged({ git, repository }, job)) return true
  return (await uncommittedIn(git, placeOf(repository, job.worktree))).length > 0
}
