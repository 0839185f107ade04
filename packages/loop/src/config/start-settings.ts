// What `loop start` asks for: its flags, and where they are silent the project's loop.json.
import { parseDuration } from '@switchyard/cli-kit/duration'
import { parseWhen } from '@switchyard/cli-kit/moment'
import { redactorOf } from '@switchyard/cli-kit/secrets'
import { Failure } from '@switchyard/ground/failure'
import type { Limits } from '../state/work-schema.ts'
import { parseBudget } from './budget.ts'
import type { Config } from './config-schema.ts'
import { wantedVerify } from './verify-line.ts'
import type { ProjectConfig } from './withhold.ts'

const iterationsDefault = 10

type LimitFlags = {
  readonly iterations: number | undefined
  readonly budget: readonly string[]
  readonly deadline: string | undefined
}

/** When a task or an issue is given up. Failure `usage` on a budget in dollars: hosts do not say what a turn costs. */
export function limitsOf({ iterations, budget, deadline }: LimitFlags, { limits }: Config, now: number): Limits {
  const { tokens = limits.tokens, cost_usd } = parseBudget(budget)
  if (cost_usd !== undefined) {
    throw new Failure('usage', 'expected --budget to be tokens, a session does not say what it costs', {
      hint: 'such as 200k; loop run counts dollars',
    })
  }
  const time = parseDuration(limits.time ?? '')
  const until = deadline === undefined ? time && now + time : (parseWhen(deadline, now, '--deadline') ?? undefined)
  return {
    iterations: iterations ?? limits.iterations ?? iterationsDefault,
    ...(tokens === undefined ? {} : { tokens }),
    ...(until === undefined ? {} : { until }),
  }
}

/** The line of shell that decides whether an issue is done. Failure `usage` when there is none. */
export function verifyOf(flag: string | undefined, config: ProjectConfig): string {
  const line = wantedVerify(flag, config)
  if (line !== undefined && line.trim() !== '') return line
  throw new Failure('usage', 'expected a command that verifies the work, got none', {
    hint: 'loop init writes one that fits the project into loop.json; or give --verify CMD',
  })
}

/** Failure `usage` when a command has a secret in it: hooks read it from the bus, where everybody may. */
export function ensureNoSecret(command: string, env: Readonly<Record<string, string | undefined>>): void {
  const told = redactorOf(env)(command)
  if (told === command) return
  throw new Failure('usage', `the command has a secret in it, and would stand on the bus: ${told}`, {
    hint: 'name the variable of the environment instead, such as $API_KEY, or put the command into a script',
  })
}
