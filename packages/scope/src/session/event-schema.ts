import { z } from 'zod'

const text = z.string().min(1)

/** A process, named so that none after it is taken for it. */
const processName = z.object({
  pid: z.int().positive(),
  start: z.string(),
  boot: z.string(),
  namespace: z.string().describe('in which the number means something; empty where the system does not tell'),
})

/** What a person or an agent may ask for; it shapes the contract. */
export const taskType = z.enum(['explore', 'implement', 'test', 'review', 'refactor'])

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
  spawner: processName,
})

const withProcess = (word: 'launched' | 'queued' | 'started') =>
  z.object({ ...common, event: z.literal(word), process: processName })

const plain = (word: 'prompted' | 'done' | 'resumed') => z.object({ ...common, event: z.literal(word) })

/** Written before the child itself is there, so that no child is missed. */
const child = z.object({ ...common, event: z.literal('child'), child: text })

const withReason = (word: 'exited' | 'aborted' | 'failed') =>
  z.object({ ...common, event: z.literal(word), reason: z.string() })

const turn = z.object({
  ...common,
  event: z.literal('turn'),
  turn: turnWord,
  reason: z.string().optional().describe('why it needs input'),
})

const ready = z.object({ ...common, event: z.literal('ready'), agent_session: z.string().nullable() })

const submitted = z.object({ ...common, event: z.literal('submitted'), bytes: z.int().nonnegative() })

const tokens = z.int().nonnegative()

/** What a turn came to; the text itself is the file `result`. */
const result = z.object({
  ...common,
  event: z.literal('result'),
  bytes: tokens,
  agent_session: z.string().nullable(),
  usage: z.object({ input_tokens: tokens, output_tokens: tokens, cached_tokens: tokens }).nullable(),
  cost_usd: z.number().nonnegative().nullable(),
  read_to: tokens.optional().describe('how far the usage was read in the transcript of this conversation, in bytes'),
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
  withProcess('started'),
  child,
  plain('prompted'),
  plain('done'),
  plain('resumed'),
  withReason('exited'),
  withReason('aborted'),
  withReason('failed'),
  turn,
  ready,
  submitted,
  result,
  ended,
])

export type SessionEvent = z.infer<typeof sessionEvent>

export type ProcessOf = z.infer<typeof processName>
