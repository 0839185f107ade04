import { lstatAt } from '@switchyard/ground/at-path'
import type { WalkedFile } from '../walk/walk-files.ts'
import { readBlocks } from './blocks.ts'
import type { Leaf } from './tree.ts'

/** Counts the tokens of a text. */
export type TokenCounter = (text: string) => number

/**
 * The files of a walk with their sizes, and, given a counter, their tokens: 0 where a file is no text. `skipped` takes
 * down how many were left out, and why.
 */
export function* leavesOf(
  files: Iterable<WalkedFile>,
  countTokens: TokenCounter | undefined,
  skipped: Map<string, number>,
): Generator<Leaf> {
  for (const { absolute, below, skip } of files) {
    if (skip === null) {
      const bytes = lstatAt(absolute)?.size ?? 0
      yield { path: below, bytes, tokens: countTokens === undefined ? 0 : tokensOf(absolute, countTokens) }
    } else skipped.set(skip, (skipped.get(skip) ?? 0) + 1)
  }
}

function tokensOf(path: string, countTokens: TokenCounter): number {
  const blocks = readBlocks(path)
  if (typeof blocks === 'string') return 0
  let tokens = 0
  for (const { bytes } of blocks) tokens += countTokens(bytes.toString())
  return tokens
}
