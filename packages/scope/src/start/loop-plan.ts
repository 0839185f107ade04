// What makes a session a loop: a checker, as it was asked for.
import { Failure } from '@switchyard/ground/failure'
import type { Access } from '../adapter.ts'
import { rubricTextOf } from '../rubric/rubric-of.ts'
import type { Plan } from './spawn-session.ts'

/** How the work is to be checked. Everything but the checker may be left out. */
export type Checking = {
  readonly checker: string | undefined
  readonly maxIterations: number | undefined
  readonly checkerModel: string | undefined
  readonly checkerAccess: Access | undefined
  readonly gateTimeoutMs: number | undefined
}

/** The flags of `scope spawn`, by what they set. */
const flagOf = {
  maxIterations: '--max-iterations',
  checkerModel: '--checker-model',
  checkerAccess: '--checker-access',
  gateTimeoutMs: '--gate-timeout',
} as const

const maxIterationsDefault = 3
const gateTimeoutMsDefault = 600_000

/** The plan as a loop, where there is a checker. Exits 2 when that is none, or when one is spoken of and not there. */
export function asLoop(plan: Plan, asked: Checking, env: Readonly<Record<string, string | undefined>>): Plan {
  if (asked.checker === undefined) {
    for (const [name, flag] of Object.entries(flagOf)) {
      const isGiven = Object.entries(asked).some(([key, value]) => key === name && value !== undefined)
      if (isGiven) throw new Failure('usage', `expected --checker beside ${flag}, there is none`)
    }
    return plan
  }
  return {
    ...{ ...plan, role: 'loop', backend: 'headless' },
    rubric: rubricTextOf(asked.checker, { cwd: plan.cwd, env }),
    loop: {
      max_iterations: asked.maxIterations ?? maxIterationsDefault,
      checker_model: asked.checkerModel ?? null,
      checker_access: asked.checkerAccess ?? 'read',
      gate_timeout_ms: asked.gateTimeoutMs ?? gateTimeoutMsDefault,
      backend: plan.backend,
    },
  }
}
