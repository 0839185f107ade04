// What a conversation of Codex has spent, as its transcript tells: now and then, and sometimes twice, how many tokens
// that were in all.
import { parseRecord, readLinesBackwards } from '@switchyard/jsonl'
import { fieldsOf, textIn } from './host-fields.ts'
import type { Spent } from './spent-tokens.ts'

const bytesMax = 64 * 1024 * 1024

type Usage = NonNullable<Spent['usage']>

/** What was spent behind a place in the transcript, and where the next look begins. `usage` is null where it does not say. */
export function spentByCodex(path: string | undefined, from: number): Pick<Spent, 'usage' | 'to'> {
  let to = from
  let last: Usage | undefined
  for (const line of path === undefined ? [] : readLinesBackwards(path, bytesMax)) {
    to = Math.max(to, line.end)
    const total = totalIn(line.text.includes('"token_count"') ? parseRecord(line) : undefined)
    if (total === undefined) continue
    if (line.end <= from) return { usage: last === undefined ? null : minus(last, total), to }
    last ??= total
  }
  return { usage: last ?? null, to }
}

function totalIn(record: Record<string, unknown> | undefined): Usage | undefined {
  const payload = fieldsOf(record?.['payload'])
  if (textIn(payload, 'type') !== 'token_count') return undefined
  const total = fieldsOf(fieldsOf(payload['info'])['total_token_usage'])
  const [input_tokens, output_tokens] = [countIn(total, 'input_tokens'), countIn(total, 'output_tokens')]
  if (input_tokens === undefined || output_tokens === undefined) return undefined
  return { input_tokens, output_tokens, cached_tokens: countIn(total, 'cached_input_tokens') ?? 0 }
}

const countIn = (fields: Record<string, unknown>, name: string): number | undefined => {
  const found = fields[name]
  return typeof found === 'number' && Number.isSafeInteger(found) && found >= 0 ? found : undefined
}

/** Never less than nothing: a transcript that counts anew was cut off. */
const minus = (one: Usage, other: Usage): Usage => ({
  input_tokens: Math.max(0, one.input_tokens - other.input_tokens),
  output_tokens: Math.max(0, one.output_tokens - other.output_tokens),
  cached_tokens: Math.max(0, one.cached_tokens - other.cached_tokens),
})
