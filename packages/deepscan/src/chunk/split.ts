import type { Block, CutBy } from './block.ts'

/** A stretch of one text that goes into one chunk. */
export type Piece = {
  start: number
  end: number
  /** How much of a chunk it fills; above 1 it does not fit into one. */
  share: number
  by: CutBy
  /** The signatures that it begins below, the outermost first; a piece that begins with a scope is not below it. */
  scopes: readonly string[]
}

/** How much of a chunk a stretch of the text fills. */
export type ShareOf = (start: number, end: number) => number

/** Sums of shares that are 1 on paper. */
const fullShare = 1 + 1e-9

/** Whether things of these shares go into one chunk together. */
export function fits(share: number): boolean {
  return share <= fullShare
}

/**
 * Cuts a block where it is larger than a chunk, between its parts, as deep as it must; then puts neighbours together as
 * long as they fit. Put one after the other, the pieces are the block. Only a piece that cannot be cut is too large.
 */
export function splitBlock(block: Block, shareOf: ShareOf, scopes: readonly string[] = []): readonly Piece[] {
  const { start, end } = block
  const share = shareOf(start, end)
  if (fits(share)) return [{ start, end, share, by: block.by, scopes }]
  const parts = block.parts()
  const [only] = parts
  if (only === undefined) return [{ start, end, share, by: 'hard', scopes }]
  if (parts.length === 1) return splitBlock(only, shareOf, scopes)
  const scope = block.scope?.()
  const inner = scope === undefined ? scopes : [...scopes, scope]
  return mergePieces(parts.flatMap((part) => splitBlock(part, shareOf, part.start === start ? scopes : inner)))
}

function mergePieces(pieces: readonly Piece[]): readonly Piece[] {
  const merged: Piece[] = []
  for (const piece of pieces) {
    const last = merged.at(-1)
    if (last === undefined || !fits(last.share + piece.share)) merged.push({ ...piece })
    else {
      last.end = piece.end
      last.share += piece.share
      last.by = coarser(last.by, piece.by)
    }
  }
  return merged
}

const coarseness: readonly CutBy[] = ['ast', 'text', 'hard']

function coarser(a: CutBy, b: CutBy): CutBy {
  return coarseness.indexOf(a) > coarseness.indexOf(b) ? a : b
}
