import { z } from 'zod'
import { outcome } from '../state/work-schema.ts'

/** How a task or an issue stands after `loop run --once`: what it prints. */
export const onceResult = z.object({
  run: z.string().describe('what --run of the next call names'),
  issue: z.string().describe('an id of tissue, or task'),
  iteration: z.int().describe('the one that was made now'),
  max: z.int(),
  done: z.boolean().describe('it is done, and everything that decides so has passed'),
  outcome: outcome.nullable().describe('null as long as it is not over'),
  reason: z.string().nullable().describe('why it is not done'),
  commit: z.string().nullable().describe('tip of what landed on the base'),
  salvage: z.string().nullable().describe('ref that keeps work which did not land'),
  worktree: z.string().nullable().describe('where an issue is worked that is not over'),
  tokens: z.int().describe('spent so far'),
  cost_usd: z.number().describe('spent so far'),
  log: z.string().nullable().describe('folder with what the runner printed'),
})
export type OnceResult = z.infer<typeof onceResult>
