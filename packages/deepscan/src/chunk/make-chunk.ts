import { createHash } from 'node:crypto'
import type { Chunk } from '../store/chunk-schema.ts'
import type { ChunkSettings } from './chunk-settings.ts'
import type { FilePiece } from './describe.ts'

/** The record of a chunk. Its id follows from its spans and what they hold, and from nothing else. */
export function makeChunk(pieces: readonly FilePiece[], index: number, mode: ChunkSettings['mode']): Chunk {
  const spans = pieces.map(({ span }) => span)
  const identity = pieces.map(({ span, content }) => [span.path, span.start_byte, span.end_byte, content])
  return {
    v: 1,
    type: 'chunk',
    id: createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 16),
    index,
    spans,
    bytes: sum(spans.map(({ start_byte, end_byte }) => end_byte - start_byte)),
    characters: sum(pieces.map(({ characters }) => characters)),
    tokens: sum(pieces.map(({ tokens }) => tokens)),
    language: mainLanguage(pieces),
    kind: mode !== 'ast' ? mode : pieces.every(({ by }) => by === 'ast') ? 'ast' : 'text',
    header: pieces[0]?.header ?? null,
    flags: [...new Set(pieces.flatMap(({ flags }) => flags))],
  }
}

/** The language that most of the chunk is written in. */
function mainLanguage(pieces: readonly FilePiece[]): string | null {
  const characters = new Map<string | null, number>()
  for (const piece of pieces) {
    characters.set(piece.language, (characters.get(piece.language) ?? 0) + piece.characters)
  }
  const [most] = [...characters].sort(([, a], [, b]) => b - a)
  return most?.[0] ?? null
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
