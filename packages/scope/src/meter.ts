// What an agent spends while it works, out of what it prints.
import { StringDecoder } from 'node:string_decoder'
import { parseJson } from '@switchyard/ground/parse-json'
import type { Adapter } from './adapter.ts'
import { nothingSpent, type Spending, sumOf } from './budget.ts'

/** A longer line is an answer or a file, and tells nothing. */
const lineCharsMax = 4_000_000

export type Meter = {
  readonly hear: (chunk: Uint8Array, stream: 'stdout' | 'stderr') => void
  /** What was spent so far, as far as the agent tells. */
  readonly spent: () => Spending
  /** The conversation that it said it is in. */
  readonly conversation: () => string | null
}

/** A meter of one turn. It hears nothing of an agent that tells only at its end. */
export function openMeter({ spentIn, conversationIn }: Pick<Adapter, 'spentIn' | 'conversationIn'>): Meter {
  const decoder = new StringDecoder('utf8')
  const told = new Map<string, Spending>()
  let begun = ''
  let conversation: string | null = null
  const hear: Meter['hear'] = (chunk, stream) => {
    if (stream === 'stderr' || (spentIn ?? conversationIn) === undefined) return
    const lines = (begun + decoder.write(Buffer.from(chunk))).split('\n')
    begun = lines.pop() ?? ''
    if (begun.length > lineCharsMax) begun = ''
    for (const line of lines) {
      if (!line.startsWith('{')) continue
      const value = parseJson(line)
      conversation = conversationIn?.(value) ?? conversation
      const found = spentIn?.(value)
      if (found !== undefined) told.set(found.key ?? `line ${told.size}`, found)
    }
  }
  return {
    ...{ hear, conversation: () => conversation },
    spent: () => (told.size === 0 ? nothingSpent : sumOf([...told.values()])),
  }
}
