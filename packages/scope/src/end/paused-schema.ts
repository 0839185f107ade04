import { z } from 'zod'
import { states } from '../session/transitions.ts'

/** A session that was paused, as `scope pause` prints it. */
export const pausedSchema = z.object({
  v: z.literal(1),
  id: z.string(),
  status: z.enum(states),
  turn: z.literal('paused'),
  worktree: z.string().nullable().describe('the folder that is free now; null where it had none of its own'),
  branch: z.string().nullable().describe('which has its work'),
  commit: z.string().nullable().describe('the newest of its branch, where something was in no commit'),
})

export type PausedView = z.infer<typeof pausedSchema>
