import type { LinePattern } from '../text/line-pattern.ts'
import type { WalkedFile } from '../walk/walk-files.ts'
import { readBlocks } from './blocks.ts'
import { searchLines } from './line-search.ts'
import type { Match } from './match-schema.ts'

type Search = {
  pattern: LinePattern
  /** Lines around each match. */
  context: number
  /** Takes down how many files were not read, and why. */
  unread: Map<string, number>
}

const quiet = new Set(['ignored', 'tool folder', 'nested repository'])

/** The lines of the files that match, file by file. */
export function* searchFiles(files: Iterable<WalkedFile>, { pattern, context, unread }: Search): Generator<Match> {
  for (const { absolute, path, skip } of files) {
    const blocks = skip ?? readBlocks(absolute)
    if (typeof blocks === 'string') {
      if (!quiet.has(blocks)) unread.set(blocks, (unread.get(blocks) ?? 0) + 1)
      continue
    }
    for (const { line, text, spans, before, after } of searchLines(blocks, pattern, context)) {
      const around = context > 0 ? { before: [...before], after } : {}
      const column = (spans[0]?.[0] ?? 0) + 1
      yield { v: 1, type: 'match', path, line, column, text, spans: spans.map(([from, to]) => [from, to]), ...around }
    }
  }
}
