import { z } from 'zod'
import { loopEvent } from '../state/event-schema.ts'
import { workInput, workStep } from '../state/work-schema.ts'

/** One event of a run: what `loop trace --json` prints. */
export const traceRecord = z.object({
  id: z.string().describe('of its message'),
  at: z.number().describe('milliseconds since 1970'),
  data: loopEvent,
})
export type TraceRecord = z.infer<typeof traceRecord>

/** What `loop trace --replay` prints. */
export const replayResult = z.object({
  run: z.string(),
  decisions: z.int().describe('that came out as they are recorded'),
  agrees: z.boolean(),
  disagreement: z
    .object({
      id: z.string().describe('of the message that records it'),
      issue: z.string(),
      input: workInput,
      recorded: workStep,
      folded: workStep.nullable().describe('null: the work was never begun'),
    })
    .nullable(),
})
export type ReplayResult = z.infer<typeof replayResult>
