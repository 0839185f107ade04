// What a run shall do: its flags, and where they are silent the project's loop.json.
import type { FlagsOf } from '@switchyard/cli-kit'
import { parseDuration } from '@switchyard/cli-kit/duration'
import { parseWhen } from '@switchyard/cli-kit/moment'
import { type Runner, runnerOf } from '@switchyard/exec/runner'
import { Failure } from '@switchyard/ground/failure'
import { parseBudget } from '../config/budget.ts'
import { requireTrusted } from '../config/read-config.ts'
import { wantedVerify } from '../config/verify-line.ts'
import type { ProjectConfig } from '../config/withhold.ts'
import type { Confining } from '../programs/run-work.ts'
import type { Limits, Rules } from '../state/work-schema.ts'
import type { runFlags } from './run-flags.ts'

export type RunFlags = FlagsOf<{ summary: ''; examples: []; flags: typeof runFlags }>

/** How many calls of an agent carry on from the one before; none is fresh. */
export type Context = { readonly carriedOn: number }

/** Settled settings of a run; times in milliseconds. */
export type Settings = {
  readonly runner: Runner
  /** The line of shell that decides; without one an agent's word does, for a task alone. */
  readonly verify: string | undefined
  readonly base: string | undefined
  readonly rules: Rules
  readonly limits: Limits
  readonly timeoutMs: number
  readonly leaseMs: number
  readonly backoffMs: number
  readonly context: Context
  readonly reviewer: string | undefined
  /** Undefined: nothing is confined by the kernel. */
  readonly confining: Confining | undefined
}

const iterationsDefault = 5
const iterationsMax = 1000
const timeoutDefaultMs = 10 * 60_000

/** The settings of a run that works issues. Failure `usage` when there is no runner, or nothing that verifies. */
export function settleIssues(flags: RunFlags, config: ProjectConfig, now: number): Settings {
  if (flags.check !== undefined) throw new Failure('usage', 'expected --verify for issues, got --check')
  const verify = wantedVerify(flags.verify, config)
  if (verify === undefined) {
    throw new Failure('usage', 'expected a command that verifies the work, got none', {
      hint: 'give --verify CMD, or set "verify" in loop.json',
    })
  }
  if (config.review) requireTrusted(config, 'reviewer')
  const rules = { verifies: true, reviews: config.review, lands: true }
  return { ...settle(flags, config, now), verify, rules, base: flags.base ?? config.base }
}

/** The settings of a run that works a task where it is called. */
export function settleTask(flags: RunFlags, config: ProjectConfig, now: number): Settings {
  const wrong = flags.verify === undefined ? (flags.base === undefined ? undefined : '--base') : '--verify'
  if (wrong !== undefined) {
    throw new Failure('usage', `expected flags of a task, got ${wrong}`, {
      hint: wrong === '--verify' ? 'a task has --check CMD' : 'a task is worked in the current folder, on any branch',
    })
  }
  const rules = { verifies: flags.check !== undefined, reviews: false, lands: false }
  const iterations = flags['max-iterations'] ?? flags.max
  if (iterations !== undefined && iterations > iterationsMax) {
    throw new Failure('usage', `expected --max to be a whole number from 1 to ${iterationsMax}, got ${iterations}`)
  }
  const limited = { ...flags, 'max-iterations': iterations }
  return { ...settle(limited, config, now), verify: flags.check, rules, base: undefined }
}

function settle(flags: RunFlags, config: ProjectConfig, now: number): Omit<Settings, 'verify' | 'rules' | 'base'> {
  if (flags.with === undefined) requireTrusted(config, 'with')
  const wanted = flags.with ?? config.with
  if (wanted === undefined) {
    throw new Failure('usage', 'expected a runner, got none', { hint: 'give --with CMD, or set "with" in loop.json' })
  }
  const runner = runnerOf(wanted)
  return {
    runner,
    limits: limitsOf(flags, config, now),
    timeoutMs: flags.timeout ?? parseDuration(config.timeout ?? '') ?? timeoutDefaultMs,
    leaseMs: flags.lease,
    backoffMs: flags.backoff,
    context: contextOf(flags.context, runner),
    reviewer: config.waits.includes('reviewer') ? undefined : config.reviewer,
    confining: confiningOf(flags, config),
  }
}

function confiningOf(flags: RunFlags, { sandbox }: ProjectConfig): Confining | undefined {
  const isConfined = flags.sandbox || sandbox
  if (flags['no-network'] && !isConfined) {
    throw new Failure('usage', 'expected --no-network with --sandbox, got it alone', { hint: 'add --sandbox' })
  }
  return isConfined ? { verifyHasNetwork: !flags['no-network'] } : undefined
}

function limitsOf(flags: RunFlags, { limits }: ProjectConfig, now: number): Limits {
  const time = parseDuration(limits.time ?? '')
  const until = flags.deadline === undefined ? undefined : parseWhen(flags.deadline, now, '--deadline')
  if (until !== undefined && until !== null && until <= now) {
    throw new Failure('usage', `expected --deadline to be ahead, got ${JSON.stringify(flags.deadline)}`)
  }
  const latest = until === undefined && time !== undefined ? now + time : until
  const { tokens, cost_usd } = { tokens: limits.tokens, cost_usd: limits.cost_usd, ...parseBudget(flags.budget) }
  return {
    iterations: flags['max-iterations'] ?? limits.iterations ?? iterationsDefault,
    ...(tokens === undefined ? {} : { tokens }),
    ...(cost_usd === undefined ? {} : { cost_usd }),
    ...(latest == null ? {} : { until: latest }),
  }
}

function contextOf(text: string, runner: Runner): Context {
  const carriedOn = text === 'fresh' ? 0 : text === 'continue' ? Number.POSITIVE_INFINITY : hybridOf(text) - 1
  if (carriedOn > 0 && !('agent' in runner)) {
    throw new Failure('usage', `expected the name of an agent for --context ${text}, got a command`, {
      hint: 'a command keeps its own context; only scope run can resume a session',
    })
  }
  return { carriedOn }
}

function hybridOf(text: string): number {
  const calls = Number(/^hybrid:([1-9]\d{0,3})$/.exec(text)?.[1])
  if (calls > 0) return calls
  throw new Failure('usage', `expected --context to be fresh, continue or hybrid:K, got ${JSON.stringify(text)}`)
}
