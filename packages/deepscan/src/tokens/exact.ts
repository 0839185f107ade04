import { countTokens as countPiece } from 'gpt-tokenizer/encoding/o200k_base'

/** Longer runs without a space take the tokenizer a time that grows with their square. */
const runMax = /\S{512}/g
const nothingSpecial = { disallowedSpecial: new Set<string>() }

/**
 * How many tokens of o200k a text is. A run of more than 512 characters without a space counts in pieces, which may
 * add one each. Other models differ: no public tokenizer counts for them.
 */
export function countTokens(text: string): number {
  let tokens = 0
  let from = 0
  for (const { index, 0: run } of text.matchAll(runMax)) {
    tokens += countPiece(text.slice(from, index), nothingSpecial) + countPiece(run, nothingSpecial)
    from = index + run.length
  }
  return tokens + countPiece(text.slice(from), nothingSpecial)
}
