import { z } from 'zod'

/** What `loop install` and `loop uninstall` print. */
export const installed = z.object({
  v: z.literal(1),
  host: z.enum(['claude', 'codex', 'gemini', 'opencode']),
  scope: z.enum(['user', 'project']),
  path: z.string(),
  state: z.enum(['installed', 'removed', 'unchanged']),
  dry_run: z.boolean(),
  backup: z.string().nullable().describe('the file as it was before the first change'),
  content: z.string().nullable().describe('what is in the file now, or would be; null: the file is gone'),
})
export type Installed = z.infer<typeof installed>
