// What a work (one task, or one issue of a run) is told, and what it does next: recorded as they are, so that a run can
// be folded again.
import { z } from 'zod'

/** How a work ended. */
export const outcome = z.enum([
  'landed',
  'already-done',
  'complete',
  'proposed',
  'queued',
  'gave-up',
  'stuck',
  'parked',
  'failed',
  'skipped',
  'cancelled',
])
export type Outcome = z.infer<typeof outcome>

/** When a work is given up. `until` is milliseconds since 1970. */
export const limits = z.object({
  iterations: z.int().min(1),
  tokens: z.int().min(1).optional(),
  cost_usd: z.number().positive().optional(),
  until: z.int().optional(),
})
export type Limits = z.infer<typeof limits>

/** What it takes to be done: a command that passes, an approving review, a landing. */
export const rules = z.object({ verifies: z.boolean(), reviews: z.boolean(), lands: z.boolean() })
export type Rules = z.infer<typeof rules>

const output = z.string().describe('what was printed, its end; of what failed why, the most telling line first')
const cut = z.boolean().optional().describe('a hook had no time to wait for its end: it says nothing of the work')

const landing = z.discriminatedUnion('end', [
  z.object({ of: z.literal('landing'), end: z.literal('landed'), sha: z.string() }),
  z.object({ of: z.literal('landing'), end: z.literal('empty') }),
  z.object({
    of: z.literal('landing'),
    end: z.literal('conflict'),
    files: z.array(z.string()),
    salvage: z.string().optional().describe('ref that keeps the change'),
    output,
  }),
  z.object({ of: z.literal('landing'), end: z.literal('unverified'), cut, output }),
  z.object({ of: z.literal('landing'), end: z.literal('unreviewed'), output }),
  z.object({ of: z.literal('landing'), end: z.literal('parked'), reason: z.string() }),
  z.object({ of: z.literal('landing'), end: z.literal('queued'), reason: z.string() }),
  z.object({ of: z.literal('landing'), end: z.literal('proposed'), reason: z.string() }),
  z.object({ of: z.literal('landing'), end: z.literal('claim-lost'), reason: z.string() }),
])

/** One thing that happened to a work. */
export const workInput = z.discriminatedUnion('of', [
  z.object({
    of: z.literal('turn'),
    said: z
      .enum(['done', 'nothing', 'stuck', 'limit', 'quiet', 'failed', 'timeout'])
      .describe('what the agent says of its own work; quiet: it stopped and said nothing of it'),
    why: z.string().optional().describe('what stands behind the word of its <loop-done> line'),
    unknown: z.string().optional().describe('what its <loop-done> line says, when it begins with no word that exists'),
    changed: z.boolean().describe('the worktree holds something that the base does not'),
    left: z.string().nullable().describe('fingerprint of the tree it left; null when there is none to take'),
    at: z.int(),
    tokens: z.int().optional().describe('that its whole run has spent since the last turn of this work'),
    cost_usd: z.number().optional().describe('as tokens'),
    uncommitted: z.array(z.string()).optional().describe('files that the agent left for somebody to commit'),
    output,
  }),
  z.object({
    of: z.literal('verify'),
    passed: z.boolean(),
    changed: z.boolean(),
    cut,
    output,
  }),
  z.object({
    of: z.literal('review'),
    verdict: z.enum(['approved', 'changes', 'missing', 'outdated']),
    seen: z.string().optional().describe('the change that the verdict is on'),
    output,
  }),
  landing,
  z.object({ of: z.literal('control'), command: z.enum(['pause', 'resume', 'cancel']), reason: z.string() }),
])
export type WorkInput = z.infer<typeof workInput>

/** What is done next. `feedback` is what the next iteration is told about the last one. */
export const workStep = z.discriminatedUnion('do', [
  z.object({ do: z.literal('run'), iteration: z.int().min(1), feedback: z.string().optional() }),
  z.object({ do: z.literal('verify') }),
  z.object({ do: z.literal('review') }),
  z.object({ do: z.literal('land') }),
  z.object({ do: z.literal('wait') }),
  z.object({ do: z.literal('end'), outcome, reason: z.string().optional(), commit: z.string().optional() }),
])
export type WorkStep = z.infer<typeof workStep>
/** How a work ended, and why. */
export type End = Extract<WorkStep, { do: 'end' }>
