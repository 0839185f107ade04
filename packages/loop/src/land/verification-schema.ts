import { z } from 'zod'

/** What `loop verify` prints. */
export const verification = z.object({
  commit: z.string(),
  tree: z.string().describe('the files of the commit; a pass counts for every commit that has them'),
  command: z.string(),
  passed: z.boolean(),
  exit_code: z.int().nullable().describe('null when a signal ended it'),
  timed_out: z.boolean(),
  reused: z.boolean().describe('it had passed on this tree before, and was not run again'),
  at: z.int().describe('when it ended, in milliseconds since 1970'),
  duration_ms: z.int(),
})
export type VerificationRecord = z.infer<typeof verification>
