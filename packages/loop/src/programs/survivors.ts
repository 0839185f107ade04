// What a runner or a verify command started and what outlived it: in a session and without a parent of its own, so that
// no tree of processes names it. It still carries what it was told by its environment.
import { endByEnvironment } from '@switchyard/exec'

const graceMs = 2000

/** Whose they are; without a worktree, those of every issue of the run. `keepsSetUp`: what set it up may still serve it. */
type Of = { run: string; worktree?: string; keepsSetUp?: boolean }

/**
 * Ends them: they would write in the worktree while it is verified, or when it is another's. What a person runs there
 * carries no iteration, and stays. Returns how many there were.
 */
export function endSurvivors({ run, worktree, keepsSetUp = false }: Of): Promise<number> {
  return endByEnvironment(
    (environment) =>
      environment.get('LOOP_RUN_ID') === run &&
      environment.has('LOOP_ITERATION') &&
      !(keepsSetUp && environment.get('LOOP_ITERATION') === '0') &&
      (worktree === undefined || environment.get('LOOP_WORKTREE') === worktree),
    graceMs,
  )
}
