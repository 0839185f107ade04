/** What calls of agents have used; null where an agent does not say. */
export type Usage = {
  readonly input_tokens: number | null
  readonly output_tokens: number | null
  readonly cost_usd: number | null
}

/** Dollars for a million tokens that go in and that come out. */
export type Price = { readonly input: number; readonly output: number }

export type Budget = { readonly usd: number; readonly tokens: number | undefined; readonly escalateRatio: number }

/** What a map has spent, and whether it may go on. */
export type Ledger = {
  add(usage: Usage): void
  escalate(): void
  /** Why no more agents may be called; undefined while they may. */
  over(): string | undefined
  /** Whether one more of `total` chunks may go to the stronger agent. */
  mayEscalate(total: number): boolean
  spent(): { readonly tokens: number; readonly usd: number; readonly escalations: number }
}

export function openLedger(budget: Budget): Ledger {
  let tokens = 0
  let usd = 0
  let escalations = 0
  const over = () => {
    if (usd >= budget.usd) return `$${usd.toFixed(2)} of $${budget.usd.toFixed(2)} are spent`
    if (budget.tokens !== undefined && tokens >= budget.tokens) return `${tokens} of ${budget.tokens} tokens are used`
    return undefined
  }
  return {
    add: (usage) => {
      tokens += (usage.input_tokens ?? 0) + (usage.output_tokens ?? 0)
      usd += usage.cost_usd ?? 0
    },
    escalate: () => {
      escalations += 1
    },
    over,
    mayEscalate: (total) => over() === undefined && escalations < Math.ceil(total * budget.escalateRatio),
    spent: () => ({ tokens, usd, escalations }),
  }
}

/** The usage of a call: what the agent said, else what its words come to, priced where a price is known. */
export function usageOf(
  said: Usage | undefined,
  estimated: { input: number; output: number },
  price: Price | undefined,
): Usage {
  const input = said?.input_tokens ?? estimated.input
  const output = said?.output_tokens ?? estimated.output
  const cost = said?.cost_usd ?? (price === undefined ? null : costOf(input, output, price))
  return { input_tokens: input, output_tokens: output, cost_usd: cost }
}

/** Dollars. */
export function costOf(input: number, output: number, price: Price): number {
  return (input * price.input + output * price.output) / 1_000_000
}
