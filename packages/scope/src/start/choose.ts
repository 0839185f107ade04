// Which agent does a task, and how: by the command line, else the profile, else the kind of task, else the settings.
import { parseDuration } from '@switchyard/cli-kit/duration'
import { Failure } from '@switchyard/ground/failure'
import type { Access } from '../adapter.ts'
import { type Budget, budgetOf } from '../budget.ts'
import type { Choice, Config } from '../config/config-schema.ts'

/** When a session is ended where nothing says another time. */
export const sessionTimeoutMs = 86_400_000

/** What a command line may say; undefined where it does not. */
export type Wished = {
  readonly agent: string | undefined
  readonly model: string | undefined
  readonly access: Access | undefined
  readonly timeoutMs: number | undefined
  readonly maxCostUsd?: number | undefined
  readonly maxTokens?: number | undefined
  readonly profile: string | undefined
  readonly type?: keyof Config['types']
}

export type Chosen = {
  readonly agent: string
  readonly model: string | undefined
  readonly access: Access
  readonly timeoutMs: number
  readonly budget: Budget | undefined
}

/**
 * The choice. A model belongs to its agent: where a stronger word names another agent, the weaker one's model is left
 * out. Exits 3 on a profile that is none.
 */
export function choose(wished: Wished, config: Config, other: { agent: string; timeoutMs: number }): Chosen {
  const profile = wished.profile === undefined ? undefined : profileOf(config, wished.profile)
  const ofType = wished.type === undefined ? undefined : config.types[wished.type]
  const weaker = [profile, ofType].filter((choice) => choice !== undefined)
  const settled = weaker.find((choice) => choice.agent !== undefined)?.agent ?? other.agent
  const agent = wished.agent ?? settled
  const ofAgent = weaker.filter((choice) => (choice.agent ?? settled) === agent)
  return {
    agent,
    model: wished.model ?? ofAgent.find(({ model }) => model !== undefined)?.model,
    access: wished.access ?? weaker.find(({ access }) => access !== undefined)?.access ?? 'write',
    timeoutMs: wished.timeoutMs ?? timeoutOf([...weaker, config]) ?? other.timeoutMs,
    budget: budgetOf(
      wished.maxCostUsd ?? first([...weaker, config].map(({ max_cost }) => max_cost)),
      wished.maxTokens ?? first([...weaker, config].map(({ max_tokens }) => max_tokens)),
    ),
  }
}

const first = (values: readonly (number | undefined)[]) => values.find((value) => value !== undefined)

function profileOf({ profiles }: Config, name: string): Choice {
  const found = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (found !== undefined) return found
  const names = Object.keys(profiles).join(', ') || 'none'
  throw new Failure('notFound', `there is no profile ${name}: there are ${names}`, {
    hint: `scope config profiles.${name}.agent NAME makes one`,
  })
}

const timeoutOf = (choices: readonly { timeout?: string | undefined }[]) =>
  choices.flatMap(({ timeout }) => (timeout === undefined ? [] : (parseDuration(timeout) ?? [])))[0]

/** How long nothing may be heard of a session; undefined where that is not limited. */
export const idleTimeoutOf = ({ idle_timeout }: Pick<Config, 'idle_timeout'>): number | undefined =>
  timeoutOf([{ timeout: idle_timeout }])
