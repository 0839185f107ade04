import type { FlagsOf } from '@switchyard/cli-kit'
import { runnerOf } from '@switchyard/exec/runner'
import { Failure } from '@switchyard/ground/failure'
import { fail } from '../errors/fail.ts'
import type { Scan } from '../store/scan-schema.ts'
import { findAgentType } from './agent-type-file.ts'
import type { Only } from './choose-chunks.ts'
import type { Price } from './ledger.ts'
import type { agentFlags } from './map-flags.ts'
import type { MapSettings } from './settings.ts'

type AgentFlags = FlagsOf<{ summary: string; examples: readonly string[]; flags: typeof agentFlags }>
type Env = Readonly<Record<string, string | undefined>>

const modelPattern = /^[\w][\w.:/@+-]{0,199}$/

/** What is asked, and of whom it is thought. Exits 2 as DS-003 without a question. */
export function settleQuestion(flags: Pick<AgentFlags, 'query' | 'agent-type'>, scan: Scan, env: Env) {
  const query = (flags.query ?? scan.query ?? '').trim()
  if (query === '') throw fail('DS-003', { scan: scan.id, hint: 'say it with --query "…", or in deepscan init -q "…"' })
  return { query, type: findAgentType(flags['agent-type'] ?? scan.agent_type, { root: scan.root, env }) }
}

/** The settings of a map from its flags. Exits 2 where one makes no sense. */
export function settleMap(flags: AgentFlags, scan: Scan, env: Env, only: Only): MapSettings {
  if (flags.with === undefined) throw fail('DS-402', { setting: '--with RUNNER' })
  requireModel(flags.model)
  const { jobs, retries } = flags
  return {
    ...{ runner: runnerOf(flags.with), model: flags.model ?? null, only, jobs, retries },
    stronger: flags.escalate === undefined ? undefined : runnerOf(flags.escalate),
    ...settleQuestion(flags, scan, env),
    timeoutMs: flags.timeout,
    backoffMs: flags.backoff,
    budget: {
      usd: amountIn('budget-usd', flags['budget-usd'], 1e7),
      tokens: flags['budget-tokens'],
      escalateRatio: amountIn('escalate-ratio', flags['escalate-ratio'], 1),
    },
    price: priceIn(flags.price),
    sample: flags.sample,
    usesHints: flags.hints,
  }
}

/** A number of a flag. Exits 2 on any other text. */
export function amountIn(name: string, text: string, max: number): number {
  const value = Number(text)
  if (/^\d{1,8}(?:\.\d{1,6})?$/.test(text) && value <= max) return value
  throw new Failure('usage', `expected --${name} to be a number from 0 to ${max}, got ${JSON.stringify(text)}`)
}

/** `3/15`: dollars for a million tokens in, and out. */
export function priceIn(text: string | undefined): Price | undefined {
  if (text === undefined) return undefined
  const [, input, output] = /^(\d{1,6}(?:\.\d{1,6})?)\/(\d{1,6}(?:\.\d{1,6})?)$/.exec(text) ?? []
  if (input !== undefined && output !== undefined) return { input: Number(input), output: Number(output) }
  throw new Failure(
    'usage',
    `expected --price to be dollars for a million tokens in and out, such as 3/15, got ${JSON.stringify(text)}`,
  )
}

/** Fails as DS-403 for what is no name of a model. */
export function requireModel(model: string | undefined): void {
  if (model !== undefined && !modelPattern.test(model)) throw fail('DS-403', { model: JSON.stringify(model) })
}
