import { Failure } from '@switchyard/ground/failure'
import { parseJson } from '@switchyard/ground/parse-json'
import * as z from 'zod'

const dollars = z.number().min(0)
const pricesSchema = z.record(z.string().min(1), z.object({ input: dollars, output: dollars }))

/** Dollars for a million tokens, by the name of a model. */
export type Prices = z.infer<typeof pricesSchema>

/** A person's table of prices. Fails as `usage` when it is another thing. */
export function parsePrices(text: string, named: string): Prices {
  const parsed = pricesSchema.safeParse(parseJson(text))
  if (parsed.success) return parsed.data
  throw new Failure('usage', `expected a table of prices in ${named}`, {
    hint: 'write {"opus": {"input": 15, "output": 75}}: dollars for a million tokens',
  })
}

/** An answer with a few findings. */
const answerTokens = 800

/** What reading all would cost with each model. */
export function priceAll(prices: Prices, inputTokens: number, chunks: number): { model: string; usd: number }[] {
  return Object.entries(prices).map(([model, { input, output }]) => {
    const usd = (inputTokens * input + chunks * answerTokens * output) / 1e6
    return { model, usd: Math.round(usd * 10_000) / 10_000 }
  })
}
