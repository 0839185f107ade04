// What a turn may spend with all its tries: told while it works where the agent does so, and else at its end.
import type { Execution } from '@switchyard/exec'
import type { Adapter } from './adapter.ts'
import { type Budget, nothingSpent, type Over, sumOf, whyOver } from './budget.ts'
import { envelopeOf, withSpending } from './envelope.ts'
import type { Envelope } from './envelope-schema.ts'
import { isOwnLimit } from './limit.ts'
import { type Meter, openMeter } from './meter.ts'

export type Purse = {
  /** Takes what the agent prints. */
  readonly hear: Meter['hear']
  /** Aborted once more was spent than is allowed. */
  readonly signal: AbortSignal
  /** What came of a try, as the budget has it. */
  readonly settle: (execution: Execution, now: number) => Envelope
  /** Why no more may be spent; undefined while more may. */
  readonly over: () => Over | undefined
}

/** The purse of a turn. Without a budget nothing is ever too much. */
export function openPurse(adapter: Adapter, budget: Budget | undefined): Purse {
  const ending = new AbortController()
  let before = nothingSpent
  let meter = openMeter(adapter)
  let over: Over | undefined
  return {
    hear: (chunk, stream) => {
      if (budget === undefined) return
      meter.hear(chunk, stream)
      over ??= whyOver(budget, sumOf([before, meter.spent()]))
      if (over !== undefined) ending.abort()
    },
    signal: ending.signal,
    settle: (execution, now) => {
      const envelope = withSpending(envelopeOf(adapter, execution, now), meter.spent())
      before = sumOf([before, { usage: envelope.usage, costUsd: envelope.cost_usd }])
      meter = openMeter(adapter)
      over ??= whyOver(budget, before) ?? stoppedItself(budget, envelope)
      return over === undefined ? envelope : spentUp(envelope, over)
    },
    over: () => over,
  }
}

function stoppedItself(budget: Budget | undefined, { outcome, error }: Envelope): Over | undefined {
  if (budget?.max_cost_usd == null || outcome !== 'failed' || !isOwnLimit(error ?? '')) return undefined
  return { limit: 'cost', reason: `it has stopped at what it may spend: ${error}` }
}

const spentUp = (envelope: Envelope, { reason }: Over): Envelope => ({
  ...{ ...envelope, outcome: 'failed', error: reason, limit: { kind: 'budget', resets_at: null } },
})
