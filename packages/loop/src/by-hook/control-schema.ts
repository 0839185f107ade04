import { z } from 'zod'

/** What `loop pause`, `resume`, `steer`, `cancel` and `signal` print of each run. */
export const controlResult = z.object({
  run: z.string(),
  command: z.enum(['pause', 'resume', 'cancel', 'steer', 'signal']),
  request: z.string().describe('id of the message that asks'),
  answer: z.string().nullable().describe('null: not heard yet'),
})
export type ControlResult = z.infer<typeof controlResult>
