import type { Limits } from '../state/work-schema.ts'

type Spent = { readonly tokens: number; readonly cost_usd: number }

/** What all works of a run have spent together: its budget is theirs together, too. */
export type Ledger = {
  add(spent: Spent): void
  readonly total: Spent
  /** What is left of the limits for a work that begins now. */
  left(): Limits
  /** Why nothing more may be begun; undefined as long as something may. */
  over(now: number): string | undefined
}

/** A ledger over the limits of a run, of which `spent` is spent already. */
export function openLedger(limits: Limits, spent: Spent = { tokens: 0, cost_usd: 0 }): Ledger {
  let total = spent
  return {
    get total() {
      return total
    },
    add({ tokens, cost_usd }) {
      total = { tokens: total.tokens + tokens, cost_usd: total.cost_usd + cost_usd }
    },
    left: () => ({
      ...limits,
      ...(limits.tokens === undefined ? {} : { tokens: Math.max(1, limits.tokens - total.tokens) }),
      ...(limits.cost_usd === undefined
        ? {}
        : { cost_usd: Math.max(Number.MIN_VALUE, limits.cost_usd - total.cost_usd) }),
    }),
    over(now) {
      if (limits.tokens !== undefined && total.tokens >= limits.tokens) return `its ${limits.tokens} tokens are spent`
      if (limits.cost_usd !== undefined && total.cost_usd >= limits.cost_usd)
        return `its ${limits.cost_usd} USD are spent`
      return limits.until !== undefined && now >= limits.until ? 'its time is over' : undefined
    },
  }
}
