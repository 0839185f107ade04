// What is kept of a loop over the compaction of a conversation, on the topic `loop:anchor`.
import { z } from 'zod'
import { mode, session } from '../state/event-schema.ts'

export const anchorSchema = z.object({
  type: z.literal('anchor'),
  v: z.literal(1),
  run: z.string(),
  session: session.nullable(),
  mode,
  issue: z.string().nullable(),
  goal: z.string().describe('the beginning of the prompt, or the title of the issue'),
  iteration: z.int(),
  max: z.int(),
  worktree: z.string().nullable().describe('the folder that is worked in'),
  progress: z.array(z.string()).describe('the last commits there, the newest first'),
  modified_files: z.array(z.string()).describe('what is not committed there'),
  modified_count: z.int(),
  next_step: z.string(),
})
export type Anchor = z.infer<typeof anchorSchema>
