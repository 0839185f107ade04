import { fail } from '../errors/fail.ts'
import { contentOf, type FileLanguage } from '../syntax/language.ts'
import type { Limit } from './cut-text.ts'

export const chunkModes = ['ast', 'lines', 'fixed'] as const

/** How a scan is cut into chunks. */
export type ChunkSettings = {
  mode: (typeof chunkModes)[number]
  limit: Limit
  /** How much of the end of the chunk before a chunk inside a file repeats, in the unit of the limit. */
  overlap: number
  /** Whether the limit goes by the kind of content. */
  adaptive: boolean
}

const ranges = {
  characters: { min: 50_000, max: 300_000 },
  tokens: { min: 100, max: 1_000_000 },
} as const

const overlapMax = 50_000

/** Fails as DS-004 when the size is out of its range, as DS-005 when the overlap is not below half of it. */
export function checkSettings({ limit, overlap }: ChunkSettings): void {
  const { min, max } = ranges[limit.unit]
  if (limit.size < min || limit.size > max) throw fail('DS-004', { min, max, unit: limit.unit, size: limit.size })
  if (overlap >= limit.size || overlap > overlapMax) throw fail('DS-005', { size: limit.size, overlap })
}

/** The sizes of the original for kinds of content, beside the 150 000 characters of all others. */
const adaptiveSizes = { code: 100_000, config: 80_000, docs: 200_000, text: 250_000, markup: 150_000 } as const
const commonSize = 150_000

/** What a chunk of files of this language may hold. */
export function limitFor(language: string | null, { limit, adaptive }: ChunkSettings): Limit {
  if (!adaptive) return limit
  const content = contentOf((language ?? undefined) as FileLanguage | undefined)
  const size = content === undefined ? commonSize : adaptiveSizes[content]
  return { ...limit, size: Math.floor((limit.size * size) / commonSize) }
}
