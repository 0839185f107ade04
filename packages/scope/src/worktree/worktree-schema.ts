import { z } from 'zod'
import { states } from '../session/transitions.ts'

const count = z.int().nonnegative()

/** A worktree of a session, as `scope worktree list` prints it. */
export const worktreeSchema = z.object({
  v: z.literal(1),
  session: z.string(),
  status: z.enum(states).nullable().describe('of the session; null where it is gone'),
  path: z.string(),
  branch: z.string(),
  base: z.string().nullable().describe('what the work is for'),
  there: z.boolean().describe('whether the folder is there'),
  commits: count.describe('on its branch since it was made'),
  uncommitted: count.describe('files with changes that are in no commit'),
  paused: z.boolean().describe('whether its folder was given up, and scope resume makes it anew'),
  merged: z.boolean().describe('whether another branch, a tag or a remote has all of its commits'),
})

export type WorktreeView = z.infer<typeof worktreeSchema>
