import { notesTopic } from '../record/notes.ts'
import { ceilingAt } from './git-place.ts'

/** A run by its id, and the stores that it uses by the variables that name them. */
type Of = { readonly id: string; readonly stores: Readonly<Record<string, string>> }

type Turn = { readonly worker: string; readonly iteration: number }

type IssueTurn = Turn & { readonly issue: { readonly id: string }; readonly worktree: { readonly path: string } }

/** The variables that tell a runner, a reviewer or a verify command which issue it works, where, and for whom. */
export function issueEnvironment(run: Of, job: IssueTurn): Record<string, string> {
  const { path } = job.worktree
  return { ...turnEnvironment(run, job, job.issue.id), ...ceilingAt(path), LOOP_WORKTREE: path }
}

/** The variables that issues and tasks share; for a task `issue` is `task`. */
export function turnEnvironment(run: Of, { worker, iteration }: Turn, issue: string): Record<string, string> {
  return {
    ...run.stores,
    JWZ_AGENT: worker,
    LOOP_RUN_ID: run.id,
    LOOP_ISSUE: issue,
    LOOP_ITERATION: String(iteration),
    LOOP_NOTES: notesTopic(run.id),
  }
}
