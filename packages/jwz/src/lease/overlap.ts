// Whether two keys can mean the same thing: names when they are equal, path patterns when some path fits both.
import { isPathKey } from './key.ts'

/** A piece of a path's segment: a character, `?`, or `*`. A character that looks like those has a backslash before it. */
type Piece = string
/** A segment of a path in pieces, or `**`, which stands for any number of segments. */
type Segment = readonly Piece[] | '**'

/** Whether two keys as they are stored can mean the same name or path. Symmetric. */
export function keysOverlap(left: string, right: string): boolean {
  if (!isPathKey(left) || !isPathKey(right)) return left === right
  return segmentsMeet(patternSegments(left), patternSegments(right))
}

/** Whether a path (relative to the top of the work tree, with nothing special in it) is under a key. */
export function keyCovers(key: string, path: string): boolean {
  return isPathKey(key) && segmentsMeet(patternSegments(key), path.split('/').map(literalPieces))
}

/** A pattern without wildcards in its last segment covers what lies below it, too: it may be a folder. */
function patternSegments(key: string): Segment[] {
  const segments = key.split('/').filter((segment) => segment !== '.')
  const open = /[*?]/.test(segments.at(-1) ?? '') ? [] : ['**']
  return [...segments, ...open].map((segment) => (segment === '**' ? segment : [...segment]))
}

function literalPieces(segment: string): Piece[] {
  return [...segment].map((character) => (character === '*' || character === '?' ? `\\${character}` : character))
}

function segmentsMeet(left: readonly Segment[], right: readonly Segment[]): boolean {
  return canMeet<Segment>(
    left,
    right,
    (segment) => segment === '**',
    (one, other) => one !== '**' && other !== '**' && piecesMeet(one, other),
  )
}

function piecesMeet(left: readonly Piece[], right: readonly Piece[]): boolean {
  return canMeet<Piece>(
    left,
    right,
    (piece) => piece === '*',
    (one, other) => one === '?' || other === '?' || one === other,
  )
}

/**
 * Whether some sequence fits both patterns. `isMany` says which elements stand for any number of others, `meet` whether
 * two that stand for one each have something in common. A table over both lengths: no pattern makes it slow.
 */
function canMeet<T>(
  left: readonly T[],
  right: readonly T[],
  isMany: (element: T) => boolean,
  meet: (one: T, other: T) => boolean,
): boolean {
  // Whether the rest of `left` from a place on can meet the rest of `right`; built from the ends backwards.
  let below: boolean[] = []
  for (let row = left.length; row >= 0; row--) {
    const here: boolean[] = []
    const one = left[row]
    for (let column = right.length; column >= 0; column--) {
      const other = right[column]
      const isEnd = one === undefined && other === undefined
      const canSkip = (one !== undefined && isMany(one)) || (other !== undefined && isMany(other))
      if (isEnd) here[column] = true
      else if (canSkip) here[column] = below[column] === true || here[column + 1] === true
      else here[column] = one !== undefined && other !== undefined && meet(one, other) && below[column + 1] === true
    }
    below = here
  }
  return below[0] === true
}
