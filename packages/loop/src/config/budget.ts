import { Failure } from '@switchyard/ground/failure'
import type { Limits } from '../state/work-schema.ts'

const amount = /^(?:\$(?<before>\d+(?:\.\d+)?)|(?<after>\d+(?:\.\d+)?)usd|(?<tokens>\d+(?:\.\d+)?)(?<unit>[km]?))$/i
const unitOf = new Map(Object.entries({ '': 1, k: 1000, m: 1_000_000 }))

/**
 * What may be spent, as `--budget` says it, once or twice: tokens (`200000`, `200k`, `1.5m`), or dollars (`$5` or
 * `5usd`). Failure `usage` on anything else.
 */
export function parseBudget(texts: readonly string[]): Pick<Limits, 'tokens' | 'cost_usd'> {
  return Object.assign({}, ...texts.map(parseAmount))
}

function parseAmount(text: string): Pick<Limits, 'tokens' | 'cost_usd'> {
  const { before, after, tokens, unit = '' } = amount.exec(text.trim())?.groups ?? {}
  const dollars = before ?? after
  const factor = unitOf.get(unit.toLowerCase()) ?? 1
  const value = dollars === undefined ? Math.round(Number(tokens) * factor) : Number(dollars)
  if (value > 0) return dollars === undefined ? { tokens: value } : { cost_usd: value }
  throw new Failure('usage', `expected --budget to be tokens or dollars, got ${JSON.stringify(text)}`, {
    hint: "such as 200k, 1.5m, 5usd or '$5'",
  })
}
