import { fits } from './split.ts'

/** A piece of a file, ready to be packed. */
export type Packed = {
  path: string
  share: number
  /** Whether it begins inside its file, so that it needs what stands above it and can only come first in a chunk. */
  isInside: boolean
}

/** Pieces that make up one chunk, and how much of it they fill. */
type Pack<P extends Packed> = { pieces: P[]; share: number }

/**
 * Puts pieces together into chunks: those of a folder first, then those of folders side by side, as long as they fit.
 * `files` are sorted by path, and so are the chunks.
 */
export function packFiles<P extends Packed>(files: readonly (readonly P[])[]): readonly (readonly P[])[] {
  return packFolder(files, 0).map(({ pieces }) => pieces)
}

/** Packs files that have the first `depth` units of their paths in common. */
function packFolder<P extends Packed>(files: readonly (readonly P[])[], depth: number): readonly Pack<P>[] {
  const pieces = files.flat()
  const share = pieces.reduce((sum, piece) => sum + piece.share, 0)
  if (pieces.length === 0) return []
  if (fits(share) && !pieces.some(({ isInside }) => isInside)) return [{ pieces, share }]
  if (files.length === 1) return pieces.map((piece) => ({ pieces: [piece], share: piece.share }))
  return merge(childrenOf(files, depth).flatMap(({ files: inside, depth: below }) => packFolder(inside, below)))
}

type Child<P> = { name: string; depth: number; files: (readonly P[])[] }

/** The files and folders of a folder. */
function childrenOf<P extends Packed>(files: readonly (readonly P[])[], depth: number): readonly Child<P>[] {
  const children: Child<P>[] = []
  for (const file of files) {
    const path = file[0]?.path ?? ''
    const slash = path.indexOf('/', depth)
    const below = slash < 0 ? path.length : slash + 1
    const name = path.slice(depth, below)
    const last = children.at(-1)
    if (last?.name === name && slash >= 0) last.files.push(file)
    else children.push({ name, depth: below, files: [file] })
  }
  return children
}

function merge<P extends Packed>(packs: readonly Pack<P>[]): readonly Pack<P>[] {
  const merged: Pack<P>[] = []
  for (const pack of packs) {
    const last = merged.at(-1)
    if (last === undefined || pack.pieces[0]?.isInside || !fits(last.share + pack.share)) {
      merged.push({ pieces: [...pack.pieces], share: pack.share })
    } else {
      last.pieces.push(...pack.pieces)
      last.share += pack.share
    }
  }
  return merged
}
