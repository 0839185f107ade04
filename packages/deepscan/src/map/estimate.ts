import * as z from 'zod'
import type { Chunk } from '../store/chunk-schema.ts'
import { costOf, type Price } from './ledger.ts'

const count = z.number().int().min(0)

/** What a map would come to: the line of `deepscan map --dry-run --json`. */
export const estimateSchema = z.object({
  v: z.literal(1),
  type: z.literal('estimate'),
  scan: z.string(),
  agent: z.string(),
  agent_type: z.string(),
  agent_type_file: z.string().nullable(),
  chunks: count,
  reused: count.describe('Chunks whose answer is known from before'),
  calls: count.describe('Without retries'),
  input_tokens: count.describe('Estimated'),
  output_tokens: count.describe('Guessed: so many a call'),
  cost_usd: z.number().min(0).nullable().describe('null where --price is not given'),
})
export type Estimate = z.infer<typeof estimateSchema>

/** An answer with a few findings. */
export const answerTokens = 800

/** What stands around the code of a chunk, and the number before each of its lines. */
const frameTokens = 700
const numberTokens = 2.3

/** About how many tokens the prompt for a chunk has; nothing is read for it. */
export function promptTokens({ tokens, spans }: Pick<Chunk, 'tokens' | 'spans'>): number {
  const lines = spans.reduce((sum, { start_line, end_line }) => sum + end_line - start_line + 1, 0)
  return Math.round(tokens + lines * numberTokens + frameTokens)
}

/** What calls with these prompts would use. */
export function estimateCalls(promptTokens: readonly number[], price: Price | undefined) {
  const input = promptTokens.reduce((sum, tokens) => sum + tokens, 0)
  const output = promptTokens.length * answerTokens
  return {
    calls: promptTokens.length,
    input_tokens: Math.round(input),
    output_tokens: output,
    cost_usd: price === undefined ? null : costOf(input, output, price),
  }
}

/** In a line for people: `about 41k tokens, $0.15`. */
export function renderCost(tokens: number, usd: number | null): string {
  const dollars = usd === null ? '' : `, $${usd.toFixed(2)}`
  return `about ${shortCount(tokens)} tokens${dollars}`
}

function shortCount(count: number): string {
  if (count < 1_000) return String(Math.round(count))
  return count < 1_000_000 ? `${Math.round(count / 1_000)}k` : `${(count / 1_000_000).toFixed(1)}m`
}
