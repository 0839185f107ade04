import { z } from 'zod'
import { budgetPart } from '../budget-schema.ts'
import { describedAgent } from '../config/config-schema.ts'
import { backend } from '../session/event-schema.ts'

/** How the agent of a session is started: all that its supervisor goes by. */
export const launchSchema = z.object({
  v: z.literal(1),
  id: z.string(),
  agent: z.string(),
  /** How an agent of the user's own is called, as the settings had it when these orders were given. */
  custom: describedAgent.optional(),
  model: z.string().nullable(),
  access: z.enum(['read', 'write', 'full']),
  backend,
  cwd: z.string(),
  /** SHA-256 of the contract, which lies beside it. */
  contract: z.string(),
  /** The conversation of the agent that it goes on with; null begins one. */
  resume: z.string().nullable(),
  /** Whether it is a copy of that conversation that it goes on with. */
  forks: z.literal(true).optional(),
  timeout_ms: z.int().positive(),
  /** How long nothing may be heard of it. */
  idle_timeout_ms: z.int().positive().optional(),
  /** What it may spend, with all that it starts. */
  budget: budgetPart.optional(),
  /** How a loop is run: its own process starts the agents. The rubric lies beside it, signed by itself. */
  loop: z
    .object({
      max_iterations: z.int().positive(),
      checker_model: z.string().nullable(),
      checker_access: z.enum(['read', 'write', 'full']),
      gate_timeout_ms: z.int().positive(),
      backend,
    })
    .optional(),
})

export type Launch = z.infer<typeof launchSchema>
