// What a session may spend, what it has spent, and whether that is too much.
import type { Usage } from './envelope-schema.ts'

/** What may be spent; null where that is not limited. Tokens are all that went in and came out, as `stats` counts. */
export type Budget = { readonly max_cost_usd: number | null; readonly max_tokens: number | null }

/** What was spent, as far as anybody tells. */
export type Spending = { readonly usage: Usage | null; readonly costUsd: number | null }

/** Why more is not allowed, and by which limit. */
export type Over = { readonly limit: 'cost' | 'tokens'; readonly reason: string }

/** The least that is left of a budget for what comes next: of nothing at all no agent makes sense. */
const leastCostUsd = 0.0001
const leastTokens = 1

export const nothingSpent: Spending = { usage: null, costUsd: null }

/** A budget of the limits that there are; undefined where there is none. */
export function budgetOf(maxCostUsd: number | undefined, maxTokens: number | undefined): Budget | undefined {
  if (maxCostUsd === undefined && maxTokens === undefined) return undefined
  return { max_cost_usd: maxCostUsd ?? null, max_tokens: maxTokens ?? null }
}

/** What was spent by all of them together. */
export const sumOf = (all: readonly Spending[]): Spending => all.reduce(added, nothingSpent)

/** What was spent by both. */
export function added(one: Spending, other: Spending): Spending {
  const costUsd = other.costUsd === null ? one.costUsd : (one.costUsd ?? 0) + other.costUsd
  return {
    usage: one.usage === null || other.usage === null ? (one.usage ?? other.usage) : both(one.usage, other.usage),
    costUsd,
  }
}

const both = (one: Usage, other: Usage): Usage => ({
  input_tokens: one.input_tokens + other.input_tokens,
  output_tokens: one.output_tokens + other.output_tokens,
  cached_tokens: one.cached_tokens + other.cached_tokens,
})

const tokensOf = ({ usage }: Spending) => (usage === null ? 0 : usage.input_tokens + usage.output_tokens)

/** Whether more was spent than is allowed; undefined where it was not, and without a budget. */
export function whyOver(budget: Budget | undefined, spent: Spending): Over | undefined {
  const { max_cost_usd: maxCost = null, max_tokens: maxTokens = null } = budget ?? {}
  const costUsd = dollars(spent.costUsd ?? 0)
  if (maxCost !== null && costUsd > maxCost) {
    return { limit: 'cost', reason: `it has spent ${costUsd} USD, and ${maxCost} USD are allowed` }
  }
  if (maxTokens === null || tokensOf(spent) <= maxTokens) return undefined
  return { limit: 'tokens', reason: `it has spent ${tokensOf(spent)} tokens, and ${maxTokens} are allowed` }
}

/** What is left of a budget: never nothing, so that whoever goes on with it is ended by the first that is spent. */
export function restOf({ max_cost_usd, max_tokens }: Budget, spent: Spending): Budget {
  return {
    max_cost_usd: max_cost_usd === null ? null : Math.max(leastCostUsd, dollars(max_cost_usd - (spent.costUsd ?? 0))),
    max_tokens: max_tokens === null ? null : Math.max(leastTokens, max_tokens - tokensOf(spent)),
  }
}

/** To a millionth of a dollar: sums of fractions have more digits than anybody spends. */
const dollars = (usd: number): number => Math.round(usd * 1_000_000) / 1_000_000
