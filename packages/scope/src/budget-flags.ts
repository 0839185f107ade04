// The flags by which a command line says what may be spent.
import { Failure } from '@switchyard/ground/failure'
import type { Adapter } from './adapter.ts'
import type { Budget } from './budget.ts'

const tokensMax = 1_000_000_000_000

export const budgetFlags = {
  'max-cost': {
    type: 'string',
    value: 'USD',
    summary: 'How many US dollars it may spend in all, with all that it starts',
  },
  'max-tokens': {
    type: 'integer',
    value: 'N',
    min: 1,
    max: tokensMax,
    summary: 'How many tokens it may take in all, in and out, with all that it starts',
  },
} as const

type Given = { readonly 'max-cost': string | undefined; readonly 'max-tokens': number | undefined }

/** What these flags say. Exits 2 on a sum that is none. */
export function budgetIn({ 'max-cost': cost, 'max-tokens': maxTokens }: Given) {
  const maxCostUsd = cost === undefined ? undefined : Number(cost)
  if (cost !== undefined && (!/^\d{1,7}(?:\.\d{1,6})?$/.test(cost) || maxCostUsd === 0)) {
    throw new Failure('usage', `expected --max-cost to be US dollars such as 0.5, got ${JSON.stringify(cost)}`)
  }
  return { maxCostUsd, maxTokens }
}

type Tells = Pick<Adapter, 'name' | 'interactive' | 'tellsCost' | 'tellsTokens'> & { readonly hasTerminal: boolean }

/** A line for people where an agent tells nothing that its budget is about; undefined where it does. */
export function untoldBy(
  budget: Budget | undefined,
  { name, interactive, tellsCost, tellsTokens, hasTerminal }: Tells,
) {
  if (budget === undefined) return undefined
  const hearsTokens = hasTerminal ? interactive?.hooks !== undefined : tellsTokens === true
  const isTold =
    (budget.max_tokens !== null && hearsTokens) || (budget.max_cost_usd !== null && tellsCost && !hasTerminal)
  if (isTold) return undefined
  const where = hasTerminal ? ' in a terminal' : ''
  const what =
    budget.max_cost_usd !== null ? ['what it costs', '--max-cost'] : ['how many tokens it takes', '--max-tokens']
  const other =
    budget.max_tokens === null && hearsTokens ? '; --max-tokens does' : hasTerminal ? '; try --headless' : ''
  return `scope: ${name} does not tell ${what[0]}${where}: ${what[1]} does not end it${other}`
}
