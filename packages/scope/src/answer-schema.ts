// What verbs print that have done something, or found one thing: each has its name at `scope schema`.
import { z } from 'zod'
import { budgetPart } from './budget-schema.ts'

const v = z.literal(1)
const text = z.string()
const id = z.string().describe('of a session')
const count = z.int().nonnegative()
const state = z.enum(['pending', 'running', 'done', 'exited', 'failed', 'aborted'])
const score = z.object({ passed: count, total: count })

/** What `spawn --dry-run` would start. */
const plan = z.object({
  v,
  agent: text,
  model: text.nullable(),
  access: text,
  backend: text,
  budget: budgetPart.nullable(),
  command: z.array(text),
  contract: text,
  rubric: text.optional().describe('of a loop'),
})

/** A phase as `workflow --dry-run` shows it. */
const plannedPhase = z.object({ phase: text, command: z.array(text), contract: text, rubric: text.nullable() })

const aborted = z.object({ v, id, status: state, was: state, purged: z.literal(true).optional() })

const exited = z.object({
  ...{ v, id, status: z.literal('exited'), exit_reason: text },
  exited: z.array(id).describe('itself, and those around it that end with it'),
})

const judged = z.object({
  ...{ v, id, verdict: z.enum(['accept', 'retry', 'terminate']) },
  criteria: z.array(z.object({ number: z.int().positive(), passed: z.boolean() })),
})

/** What `check` found. */
const checked = z.object({
  ...{ v, id, verdict: z.enum(['accept', 'retry', 'terminate', 'unparsed']), gates: score },
  criteria: score.nullable(),
  feedback: text,
})

const rubric = z.object({
  ...{ v, id, path: text, hash: text.describe('SHA-256 of its text') },
  ...{ gates: z.array(text), criteria: z.array(text), nice: z.array(text), notes: text },
})

/** The last answer of an agent. */
const result = z.object({ v, id, status: state, path: text, text })

/** What `logs --screen` and `logs --output` print. */
const screen = z.object({ v, id, text })

const store = z.object({ v, store: text, base: text, exists: z.boolean(), reason: text.describe('why this one') })

const merged = z.object({
  ...{ v, session: id, branch: text, commit: text },
  how: z.enum(['nothing to do', 'fast-forward', 'merge']),
})

/** By their names at `scope schema`. */
export const answerSchemas = {
  ...{ started: z.object({ v, id }), plan, 'planned-phase': plannedPhase, aborted, exited, judged, checked, rubric },
  'rubric-fault': text,
  ...{ result, screen, store, merged },
  sent: z.object({ v, id, bytes: count }),
  primer: z.object({ v, id: id.nullable(), store: text, text }),
  patch: z.object({ v, session: id, branch: text, patch: text }),
  dropped: z.object({ v, session: id, path: text, branch: text }),
}
