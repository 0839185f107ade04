import type { Chunk } from '../store/chunk-schema.ts'
import type { Result } from '../store/result-schema.ts'

export const onlyWords = ['pending', 'failed', 'all'] as const
export type Only = (typeof onlyWords)[number]

/** Who has done a chunk when nobody was asked: the rules. */
export const byRules = 'rules'

/** The last result that an agent gave for each chunk. What rules have found in one answers no question. */
export function lastResults(results: Iterable<Result>): Map<string, Result> {
  const last = new Map<string, Result>()
  for (const result of results) if (result.agent !== byRules) last.set(result.chunk, result)
  return last
}

/** The chunks to be asked about, in their order: those without a result, those whose last one failed, or all. */
export function chooseChunks(chunks: readonly Chunk[], last: ReadonlyMap<string, Result>, only: Only): Chunk[] {
  if (only === 'all') return [...chunks]
  return chunks.filter(({ id }) => (only === 'failed' ? last.get(id)?.status === 'failed' : !last.has(id)))
}

/** So many of the chunks, spread evenly over them, the first of each stretch; all when there are no more. */
export function sampleOf<T>(items: readonly T[], count: number): T[] {
  if (count >= items.length) return [...items]
  return Array.from({ length: count }, (_, place) => items[Math.floor((place * items.length) / count)]).flatMap(
    (item) => item ?? [],
  )
}
