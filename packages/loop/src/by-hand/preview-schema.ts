import { z } from 'zod'

/** What a landing would do: what `loop land --dry-run` prints. */
export const preview = z.object({
  issue: z.string().nullable(),
  branch: z.string(),
  base: z.string(),
  commits: z.int().describe('that the base does not have'),
  rebase: z.boolean().describe('the base has moved since'),
  conflicts: z.array(z.string()).describe('files that would conflict'),
  verify: z.string().nullable(),
  verified: z
    .boolean()
    .describe('it is known to have passed on the files as they are now; the landing sees for itself'),
  strategy: z.enum(['rebase', 'squash', 'merge']),
  push: z.string().nullable().describe('remote'),
})
export type Preview = z.infer<typeof preview>
