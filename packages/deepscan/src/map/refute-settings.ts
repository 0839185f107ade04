import type { FlagsOf } from '@switchyard/cli-kit'
import { runnerOf } from '@switchyard/exec/runner'
import { Failure } from '@switchyard/ground/failure'
import { fail } from '../errors/fail.ts'
import { agentFlags } from './map-flags.ts'
import type { MapSettings } from './settings.ts'
import { amountIn, priceIn, requireModel } from './settle-settings.ts'

const { jobs, timeout, retries, backoff, price } = agentFlags

/** The flags by which `deepscan verify --refute` calls agents. */
export const refuteFlags = {
  with: { ...agentFlags.with, summary: 'With --refute: whom to ask, better another than before' },
  model: agentFlags.model,
  'budget-usd': agentFlags['budget-usd'],
  'budget-tokens': agentFlags['budget-tokens'],
  ...{ jobs, timeout, retries, backoff, price },
} as const

type Given = FlagsOf<{ summary: string; examples: readonly string[]; flags: typeof refuteFlags }>

/** The settings of those who refute; undefined where nobody is to. Exits 2 where a flag makes no sense. */
export function refuteSettings(
  flags: Given & { readonly refute: boolean },
  file: string | undefined,
): MapSettings | undefined {
  if (!flags.refute && flags.with === undefined) return undefined
  if (!flags.refute)
    throw new Failure('usage', 'expected --refute with --with, got --with alone', { hint: 'add --refute' })
  if (file !== undefined) throw new Failure('usage', `expected --refute with findings of a scan, got ${file}`)
  if (flags.with === undefined) throw fail('DS-402', { setting: '--with RUNNER' })
  requireModel(flags.model)
  return {
    ...{ runner: runnerOf(flags.with), stronger: undefined, model: flags.model ?? null, only: 'pending' },
    ...{ type: { name: 'refute', instruction: '', path: null }, query: 'Which findings can be refuted?' },
    ...{ jobs: flags.jobs, retries: flags.retries, timeoutMs: flags.timeout, backoffMs: flags.backoff },
    budget: { usd: amountIn('budget-usd', flags['budget-usd'], 1e7), tokens: flags['budget-tokens'], escalateRatio: 0 },
    ...{ price: priceIn(flags.price), sample: undefined, usesHints: false },
  }
}
