import type { Chunk } from '../store/chunk-schema.ts'

/** What speaks for looking at a chunk early, of each of its files. */
export type Signals = {
  /** Weight of what rules have found in a chunk. */
  readonly hits: ReadonlyMap<string, number>
  /** How often a file was changed. */
  readonly churn: ReadonlyMap<string, number>
  /** How many files import a file. */
  readonly fanIn: ReadonlyMap<string, number>
  /** How much a file counts, from 0 to 1: tests and examples less than source. */
  readonly weight: (path: string) => number
}

/**
 * Chunks by how much speaks for them, the most first. Rule findings weigh most; churn and fan-in count by their
 * logarithm, so that one file that everybody touches does not hide all others. Equal ones keep their order.
 */
export function rankChunks(chunks: readonly Chunk[], signals: Signals): Chunk[] {
  const scores = new Map(chunks.map((chunk) => [chunk.id, scoreOf(chunk, signals)]))
  return chunks.toSorted((a, b) => (scores.get(b.id) ?? 0) - (scores.get(a.id) ?? 0) || a.index - b.index)
}

function scoreOf({ id, spans }: Chunk, { hits, churn, fanIn, weight }: Signals): number {
  const most = (of: (path: string) => number) => Math.max(0, ...spans.map(({ path }) => of(path)))
  const changed = most((path) => Math.log2(1 + (churn.get(path) ?? 0)))
  const imported = most((path) => Math.log2(1 + (fanIn.get(path) ?? 0)))
  return most(weight) * (2 * (hits.get(id) ?? 0) + changed + imported)
}
