// What a run holds whose bus was removed: its work is kept in a ref, its worktree goes, its claim is given back.
import { sweepWorktrees } from './clear-worktree.ts'
import type { Recovery } from './recovery.ts'

/** `worker`: who had claimed the issue for the run, where that is known. */
export type Lost = { readonly run: string; readonly issue: string; readonly worker: string | undefined }

/** Frees what a lost run holds, and tells the issue where the work is. A claim that another made since stays. */
export async function clearLost(recovery: Recovery, { run, issue, worker }: Lost): Promise<void> {
  const { tissue, by, note } = recovery
  const kept = await sweepWorktrees(recovery, run)
  const where = kept.length === 0 ? 'Nothing of it was left to keep.' : `Its work is kept in ${kept.join(', ')}.`
  note(`the bus of run ${run} was removed. ${where}`)
  if (kept.length > 0) await tissue.comment(issue, by, `The run ${run} is over: its bus was removed. ${where}\n`)
  const held = (await tissue.show(issue))?.claim
  if (worker !== undefined && held?.by === worker) await tissue.release(issue, worker)
}
