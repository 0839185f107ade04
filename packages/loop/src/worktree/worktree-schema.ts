// What the worktree verbs print.
import { z } from 'zod'

/** A worktree that loop made, as `loop worktree list` shows it. */
export const worktreeFacts = z.object({
  id: z.string().describe('what the worktree verbs know it by: the id of an issue, or a plain name'),
  issue: z.string().nullable().describe('null when it was made for no issue'),
  path: z.string(),
  branch: z.string().nullable().describe('null when its HEAD is detached'),
  base: z.string().nullable().describe('branch that its work is to land on; null when none is known'),
  run: z.string().nullable().describe('the run that holds it'),
  alive: z.boolean().describe('the process of that run is there'),
  state: z
    .enum(['clean', 'dirty', 'unready', 'missing', 'broken'])
    .describe(
      'unready: its set-up has not come to its end; missing: its folder is gone; broken: it, or what git keeps of it, names another place',
    ),
  ahead: z.int().nullable().describe('commits that the base does not have'),
  landed: z.boolean().describe('it had commits, and the base has all that is in them'),
})
export type WorktreeFacts = z.infer<typeof worktreeFacts>

/** A worktree that was taken away. */
export const removedWorktree = z.object({
  id: z.string(),
  path: z.string(),
  branch: z.string().nullable().describe('the branch that is still there; null when it went with the worktree'),
  salvage: z.string().nullable().describe('ref that keeps what had not landed'),
})
export type RemovedWorktree = z.infer<typeof removedWorktree>

/** Work that did not land, kept in a ref. `at` is milliseconds since 1970. */
export const salvagedWork = z.object({
  ref: z.string(),
  commit: z.string(),
  issue: z.string().nullable(),
  at: z.int(),
  subject: z.string(),
})
export type SalvagedWork = z.infer<typeof salvagedWork>
