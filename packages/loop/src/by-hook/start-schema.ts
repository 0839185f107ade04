import { z } from 'zod'
import { session } from '../state/event-schema.ts'

/** What `loop start` prints. */
export const startResult = z.object({
  run: z.string(),
  session: session.nullable(),
  claim: z.string().nullable().describe('what an agent says to take the run on, when it was started in no session'),
  text: z.string().describe('what the agent is told'),
})
export type StartResult = z.infer<typeof startResult>
