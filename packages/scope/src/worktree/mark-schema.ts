import { z } from 'zod'
import { processName } from '../session/event-schema.ts'
import { isSessionId } from '../session/session-id.ts'

const commitId = z.string().regex(/^[0-9a-f]{40,64}$/)

/** A file in `worktrees`, without its signature. */
export const markSchema = z.object({
  v: z.literal(1),
  id: z.string().refine(isSessionId),
  path: z.string(),
  branch: z.string(),
  /** The commit that it began from. */
  from: commitId,
  /** Who makes it. */
  maker: processName,
  /** What was begun and has to come to its end, whatever is killed: all that is worth keeping is kept already. */
  removing: z.enum(['worktree', 'all']).optional(),
  /** The newest commit of its branch when its removal began. A later one is nobody's to remove. */
  tip: commitId.nullable().optional(),
  /** A paused session: what was in no commit is in commits of the pause, from `from` to `tip`. */
  parked: z.object({ from: commitId, tip: commitId, index: commitId }).optional(),
})

export type Mark = z.infer<typeof markSchema>
