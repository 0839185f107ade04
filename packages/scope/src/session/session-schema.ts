import { z } from 'zod'
import { budgetPart } from '../budget-schema.ts'
import { taskType } from '../task-schema.ts'
import { backend, turnWord } from './event-schema.ts'
import { states } from './transitions.ts'

const count = z.int().nonnegative()

const score = z.object({ passed: count, total: count }).nullable()

const loopSchema = z.object({
  iteration: count.describe('from 0, as in the ids of its sessions'),
  max: count,
  verdict: z.enum(['accept', 'retry', 'terminate', 'unparsed', 'max_iterations']).nullable().describe('the last one'),
  gates: score.describe('of the last check'),
  criteria: score.describe('of the last check'),
})

/** A session as `scope poll` prints it. Fields are only ever added. */
export const sessionSchema = z.object({
  v: z.literal(1),
  id: z.string(),
  alias: z.string().nullable(),
  status: z.enum(states),
  turn: turnWord.nullable().describe('what the agent is doing; null when none runs'),
  needs_input: z.string().nullable().describe('why somebody has to answer it; null when nobody has to'),
  activity: z.string(),
  result: z.string().nullable().describe('the last answer of the agent; null before the first, cut at 1 MB'),
  exit_reason: z.string().nullable(),
  task: z.string(),
  task_type: taskType,
  role: z.enum(['run', 'loop', 'do', 'check']),
  loop: loopSchema.nullable().describe('null where it is no loop'),
  workflow: z.object({ run: z.string(), phase: z.string(), attempt: count }).nullable(),
  agent: z.string(),
  model: z.string().nullable(),
  backend,
  parent: z.string().nullable(),
  children: z.array(z.string()),
  cwd: z.string(),
  worktree: z.string().nullable().describe('the worktree that it works in; null where scope made none for it'),
  branch: z.string().nullable().describe('of that worktree'),
  base: z.string().nullable().describe('what the work on that branch is for'),
  agent_session: z.string().nullable().describe("the agent's own id for its conversation"),
  alive: z.boolean().describe('whether a process keeps it going'),
  created_at: z.number().describe('milliseconds since 1970, like all times'),
  state_since: z.number(),
  tokens: z.object({ input_tokens: count, output_tokens: count, cached_tokens: count }).nullable(),
  cost_usd: z.number().nonnegative().nullable(),
  budget: budgetPart.nullable().describe('what it may spend with all that it starts; null where that is not limited'),
  limit: z.enum(['cost', 'tokens']).nullable().describe('of its budget, by which it has failed'),
  trajectory: z
    .object({
      prompts: count,
      tool_calls: count,
      tools: z.record(z.string(), count).describe('how often each was used'),
      files_written: count.describe('by the tools that write files'),
    })
    .nullable()
    .optional()
    .describe('only with --trajectory: what its agent did; null where there is no transcript to read'),
  project: z.string().optional().describe('the folder of its project, where those of several are listed'),
})

export type SessionView = z.infer<typeof sessionSchema>

/** How waiting ended, as `scope wait` prints it. */
export const waitedSchema = z.object({ v: z.literal(1), timed_out: z.boolean(), results: z.array(sessionSchema) })

export type Waited = z.infer<typeof waitedSchema>
