// Very many lines of which a process looks at a few: sorted, in pieces, with a directory of where each piece begins.
import type { Piece } from './file.ts'

/** The pieces in order, each with the beginning of its first line. */
export type Directory = readonly (readonly [first: string, piece: Piece])[]

const pieceLength = 8192
const firstLength = 24

/** Lines (sorted, none with a line feed) as pieces; `put` takes each and says where it lies. */
export function writeSorted(lines: readonly string[], put: (text: string) => Piece): Directory {
  const directory: (readonly [string, Piece])[] = []
  let [first, text] = ['', '']
  for (const [place, line] of lines.entries()) {
    if (text === '') first = line.slice(0, firstLength)
    text += `${line}\n`
    if (text.length < pieceLength && place < lines.length - 1) continue
    directory.push([first, put(text)])
    text = ''
  }
  return directory
}

/** The lines that begin so. Reads one piece, or two, unless there are very many. */
export function readBeginning(directory: Directory, beginning: string, read: (piece: Piece) => string): string[] {
  const key = beginning.slice(0, firstLength)
  const found: string[] = []
  for (let at = placeBefore(directory, key); at < directory.length; at++) {
    const [first, piece] = directory[at] ?? ['', [0, 0]]
    if (first.slice(0, key.length) > key) break
    found.push(...linesOf(read(piece)).filter((line) => line.startsWith(beginning)))
  }
  return found
}

/** All lines. */
export function readSorted(directory: Directory, read: (piece: Piece) => string): string[] {
  return directory.flatMap(([, piece]) => linesOf(read(piece)))
}

/** The last piece whose first line lies before all that begin with `key`; 0 when there is none. */
function placeBefore(directory: Directory, key: string): number {
  let [low, high] = [0, directory.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const [first = ''] = directory[middle] ?? []
    if (first.slice(0, key.length) < key) low = middle + 1
    else high = middle
  }
  return Math.max(0, low - 1)
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '')
}
