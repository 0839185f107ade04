import { z } from 'zod'
import { budgetPart } from '../budget-schema.ts'
import { taskType } from '../task-schema.ts'
import { exitReaches } from './exit-reach.ts'

const text = z.string().min(1)

/** A process, named so that none after it is taken for it. */
export const processName = z.object({
  pid: z.int().positive(),
  start: z.string(),
  boot: z.string(),
  namespace: z.string().describe('in which the number means something; empty where the system does not tell'),
})

/** Where an agent runs: in a tmux session that a person can enter, or as a process without a screen. */
export const backend = z.enum(['tmux', 'headless'])

/** What an agent is doing, while its session is not over. */
export const turnWord = z.enum(['queued', 'starting', 'busy', 'idle', 'needs_input', 'paused'])

const common = {
  v: z.literal(1),
  id: text.max(64),
  at: z.number().describe('milliseconds since 1970, by the clock of the writer'),
  session: text,
  by: text.describe('who writes: spawn, supervisor, hook, loop, a verb, or a reader'),
}

const count = z.int().nonnegative()

/** The part of a workflow that a session is. */
const workflowPart = z.object({ run: text, phase: text, attempt: count })

/** The worktree in which a session works. */
const worktreePart = z.object({
  path: text,
  branch: text,
  base: text.describe('what its work is for: a branch, or what else was named'),
  from: text.describe('the commit that it began from'),
  of: text.optional().describe('the session whose own it is, where this one only shares it'),
})

const created = z.object({
  ...common,
  event: z.literal('created'),
  task: z.string(),
  task_type: taskType,
  agent: text,
  model: z.string().nullable(),
  access: text,
  backend,
  cwd: text,
  alias: z.string().nullable(),
  role: z.enum(['run', 'loop', 'do', 'check']),
  max_iterations: count.optional().describe('of a loop'),
  budget: budgetPart.optional(),
  workflow: workflowPart.optional().describe('of a phase'),
  worktree: worktreePart.optional().describe('where it works in one that scope made'),
  fork_of: text.optional().describe('the session whose conversation it goes on with, in a copy'),
  spawner: processName,
})

const withProcess = (word: 'launched' | 'queued') =>
  z.object({ ...common, event: z.literal(word), process: processName })

const started = z.object({
  ...common,
  event: z.literal('started'),
  process: processName.optional().describe("missing where another tool's session has no process of its own"),
})

const plain = (word: 'prompted' | 'done' | 'paused') => z.object({ ...common, event: z.literal(word) })

const resumed = z.object({
  ...common,
  event: z.literal('resumed'),
  max_iterations: count.optional().describe('of a loop that is to go on longer'),
  budget: budgetPart.optional().describe('where it may spend more'),
})

/** Written before the child itself is there, so that no child is missed. */
const child = z.object({ ...common, event: z.literal('child'), child: text })

const aborted = z.object({ ...common, event: z.literal('aborted'), reason: z.string() })

const exited = z.object({
  ...common,
  event: z.literal('exited'),
  reason: z.string(),
  reach: z.enum(exitReaches).optional(),
  from: text.optional().describe('the session below this one whose agent said so'),
})

const failed = z.object({
  ...common,
  event: z.literal('failed'),
  reason: z.string(),
  verdict: z.enum(['terminate', 'max_iterations']).optional().describe('by which a loop has ended'),
  limit: z.enum(['cost', 'tokens']).optional().describe('of its budget, where it has spent more'),
})

/** A loop begins a turn of work and check, or takes it up again. */
const iteration = z.object({ ...common, event: z.literal('iteration'), iteration: count, doer: text })

/** A gate was run; its output is the file `gates/<iteration>-<number>.log`. */
const gate = z.object({
  ...common,
  event: z.literal('gate'),
  iteration: count,
  number: count,
  command: text.describe('its beginning, where it is long'),
  passed: z.boolean(),
  exit_code: z.int().nullable(),
  signal: z.string().nullable(),
  timed_out: z.boolean(),
  duration_ms: count,
})

const score = z.object({ passed: count, total: count })

/** What an iteration came to. `unparsed` counts as retry: the checker gave no verdict that can be understood. */
const verdict = z.object({
  ...common,
  event: z.literal('verdict'),
  iteration: count,
  verdict: z.enum(['accept', 'retry', 'terminate', 'unparsed']),
  gates: score,
  criteria: score.nullable().describe('null where no agent judges, or it did not say'),
  checker: text.nullable(),
  rubric: text.describe('SHA-256 of the rubric that was applied'),
})

/** A checker says by `scope verdict` how it judges. */
const judged = z.object({
  ...common,
  event: z.literal('judged'),
  verdict: z.enum(['accept', 'retry', 'terminate']),
  criteria: z.array(z.object({ number: z.int().positive(), passed: z.boolean() })),
  message: z.string(),
})

const turn = z.object({
  ...common,
  event: z.literal('turn'),
  turn: turnWord,
  reason: z.string().optional().describe('why it needs input'),
})

const ready = z.object({ ...common, event: z.literal('ready'), agent_session: z.string().nullable() })

const submitted = z.object({ ...common, event: z.literal('submitted'), bytes: z.int().nonnegative() })

/** What a turn came to; the text itself is the file `result`. */
const result = z.object({
  ...common,
  event: z.literal('result'),
  bytes: count,
  agent_session: z.string().nullable(),
  usage: z.object({ input_tokens: count, output_tokens: count, cached_tokens: count }).nullable(),
  cost_usd: z.number().nonnegative().nullable(),
  read_to: count.optional().describe('how far the usage was read in the transcript of this conversation, in bytes'),
})

const ended = z.object({
  ...common,
  event: z.literal('ended'),
  exit_code: z.int().nullable(),
  signal: z.string().nullable(),
})

/** An event of a session, as a line of its `events.jsonl`. `docs/formats/session.md` says what follows from it. */
export const sessionEvent = z.discriminatedUnion('event', [
  created,
  withProcess('launched'),
  withProcess('queued'),
  started,
  child,
  plain('prompted'),
  plain('done'),
  plain('paused'),
  resumed,
  exited,
  aborted,
  failed,
  iteration,
  gate,
  verdict,
  judged,
  turn,
  ready,
  submitted,
  result,
  ended,
])

export type SessionEvent = z.infer<typeof sessionEvent>

export type WorktreePart = z.infer<typeof worktreePart>

export type ProcessOf = z.infer<typeof processName>
