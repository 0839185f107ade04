import { z } from 'zod'
import { mode, session } from './event-schema.ts'
import { outcome } from './work-schema.ts'

const phase = z.enum(['claiming', 'running', 'verifying', 'landing', 'waiting', 'idle'])

const workerStatus = z.object({
  worker: z.string(),
  issue_id: z.string().nullable(),
  title: z.string().nullable(),
  phase,
  iteration: z.int(),
  worktree: z.string().nullable(),
  updated_at: z.int(),
})

/** How a run stands: what `loop status --json` prints. */
export const runStatus = z.object({
  run: z.string(),
  state: z.enum(['active', 'paused', 'draining', 'stopping', 'finished', 'stale', 'dead']),
  mode,
  goal: z.string().nullable().describe('the prompt of a task'),
  base: z.string(),
  iteration: z.int().describe('of the worker that moved last; of what it ended, when it is idle'),
  max: z.int().describe('iterations an issue may take'),
  issue_id: z.string().nullable(),
  worktree: z.string().nullable(),
  updated_at: z.int().describe('milliseconds since 1970'),
  owner: z.object({ pid: z.int(), start: z.string(), boot: z.string() }).nullable(),
  session: session.nullable(),
  steps: z.boolean().describe('each step is a process of its own (loop run --once): asked for now, heard at the next'),
  log: z.string().nullable().describe('folder with what the runners print, a file an iteration'),
  workers: z.array(workerStatus),
  landed: z.int(),
  already_done: z.int(),
  not_landed: z.int(),
  exit_code: z.int().nullable(),
  outcome: outcome.nullable().describe('of the work that ended last'),
  reason: z.string().nullable().describe('why it ended so, where there is more to say'),
})
export type RunStatus = z.infer<typeof runStatus>
export type WorkerStatus = z.infer<typeof workerStatus>
