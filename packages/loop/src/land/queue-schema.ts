import { z } from 'zod'

/** A change that could not land yet and whose branch is kept: what `loop queue` lists. */
export const queueEntry = z.object({
  v: z.literal(1),
  issue: z.string(),
  title: z.string(),
  slug: z.string(),
  branch: z.string(),
  sha: z.string().describe('where the branch was when it was put here'),
  base: z.string(),
  outcome: z.enum(['parked', 'queued']).describe('queued: its remote could not be reached; parked: somebody must look'),
  reason: z.string(),
  verify: z.string().nullable().describe('what must pass before it lands; null: nothing must'),
  strategy: z.enum(['rebase', 'squash', 'merge']),
  push: z.string().nullable().describe('remote that it is pushed to'),
  run: z.string(),
  at: z.int().describe('milliseconds since 1970'),
  mark: z.string().optional().describe('signature of the machine that put it here: no other moves it'),
})
export type QueueEntry = z.infer<typeof queueEntry>

/** One as `loop queue list` prints it. */
export const listedEntry = queueEntry.extend({
  made_here: z
    .boolean()
    .describe('whether this machine put it here; what came from elsewhere is shown and dropped only'),
})
export type ListedEntry = z.infer<typeof listedEntry>

/** What `loop queue drop` prints. */
export const droppedEntry = z.object({
  issue: z.string(),
  branch: z.string(),
  salvage: z.string().nullable().describe('ref that keeps the work; null when the branch was gone already, or stays'),
})
export type DroppedEntry = z.infer<typeof droppedEntry>
