import { z } from 'zod'
import { budgetSettings } from '../config/config-schema.ts'
import { taskType } from '../task-schema.ts'

const text = z.string().min(1)
const texts = z.union([text.transform((one) => [one]), z.array(text)])
const duration = z.string().regex(/^\d+(?:ms|s|m|h|d)$/, 'expected a duration such as 30m')

/** The name of a workflow or a phase: a folder's name too. */
export const partName = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,63}$/i, 'expected letters, digits, - and _, a letter first')

/** What a phase is, as `wf.phase(name, { … })` and a JSON file say it. Nothing else may stand there. */
export const phaseOptions = z.strictObject({
  task: text,
  checker: text.optional(),
  max_iterations: z.int().min(1).max(1000).optional(),
  checker_model: text.optional(),
  checker_access: z.enum(['read', 'write', 'full']).optional(),
  gate_timeout: duration.optional(),
  profile: text.optional(),
  agent: text.optional(),
  model: text.optional(),
  access: z.enum(['read', 'write', 'full']).optional(),
  type: taskType.default('implement'),
  on_fail: z
    .string()
    .regex(/^(?:stop|continue|retry:[1-9]\d?)$/, 'expected stop, continue or retry:N')
    .default('stop'),
  pipe: texts.optional(),
  parallel: z.boolean().default(false),
  file_scope: texts.default([]),
  verify: texts.default([]),
  input: texts.default([]),
  output: text.optional(),
  intent: text.optional(),
  cwd: text.optional(),
  worktree: z.boolean().default(false),
  base: text.optional(),
  branch: text.optional(),
  headless: z.boolean().default(false),
  timeout: duration.optional(),
  ...budgetSettings,
})

export type PhaseOptions = z.infer<typeof phaseOptions>

/** A workflow as a JSON file has it. */
export const workflowFile = z.strictObject({
  name: partName,
  phases: z.array(z.looseObject({ name: partName })).min(1),
})

/** How a phase can end. `done` is a phase without a checker. */
const phaseVerdict = z.enum([
  ...(['accept', 'done', 'terminate', 'max_iterations', 'budget', 'failed', 'exit', 'aborted', 'dry_run'] as const),
])

const phaseResult = z.object({
  phase: z.string(),
  verdict: phaseVerdict,
  passed: z.boolean(),
  iterations: z.int().nonnegative(),
  attempt: z.int().nonnegative().describe('how many tries came before'),
  session_id: z.string(),
  exit_reason: z.string().nullable(),
  result_text: z.string(),
})

export type PhaseEnd = z.infer<typeof phaseResult>

const outcome = z.enum(['accepted', 'failed', 'limit', 'stopped', 'dry_run'])

const workflowRun = z.object({
  run: z.string().describe('the folder in .scope/workflows'),
  workflow: z.string(),
  outcome,
  exit_reason: z.string().nullable().describe('why it was stopped'),
  phases: z.array(phaseResult),
})

export type WorkflowRun = z.infer<typeof workflowRun>

/** What `scope workflow --json` prints: the runs of its file, of which most have one. */
export const workflowResult = z.object({ v: z.literal(1), runs: z.array(workflowRun) })

const common = { v: z.literal(1), at: z.number(), signature: z.string() }

/** A line of a run's log, which this machine has signed. */
export const runRecord = z.discriminatedUnion('event', [
  z.object({
    ...common,
    event: z.literal('begun'),
    workflow: text,
    file: text,
    params: z.record(z.string(), z.string()),
    anew: z.array(z.string()).describe('phases whose results do not count any more'),
    pid: z.int(),
    start: z.string(),
  }),
  z.object({ ...common, event: z.literal('starting'), phase: text, attempt: z.int() }),
  z.object({ ...common, event: z.literal('session'), phase: text, attempt: z.int(), session: text }),
  z.object({
    ...{ ...common, event: z.literal('result'), sha256: z.string() },
    result: phaseResult.omit({ result_text: true }),
  }),
  z.object({ ...common, event: z.literal('ended'), outcome, exit_reason: z.string().nullable() }),
])

export type RunRecord = z.infer<typeof runRecord>
