import { z } from 'zod'

/** What `scope gc` does with one session, or one run of a workflow. */
export const gcSchema = z.object({
  v: z.literal(1),
  kind: z.enum(['session', 'run']),
  id: z.string(),
  bytes: z.int().nonnegative().describe('of its files, and of its worktree'),
  removed: z.boolean(),
  dry_run: z.boolean().describe('nothing was removed: this is what would be'),
  why: z.string().nullable().describe('why it stays, although its time has come'),
})

export type Collected = z.infer<typeof gcSchema>
