import type { Language } from './language.ts'

/** A text put together from pieces of a file, of which each offset has its place in the file. */
export type PlacedText = {
  text: string
  /** The offset in the file of an offset in the text; the end of a piece is in that piece. */
  offsetInFile: (offset: number) => number
}

/** A program inside a file of another language. Its text is nearly that of the file. */
export type EmbeddedScript = PlacedText & { language: Language }

/** A piece of a text that stands in the file at `at`, unit for unit. */
export type PlacedPiece = { text: string; at: number }

/** Puts pieces together. */
export function placedText(pieces: readonly PlacedPiece[]): PlacedText {
  const starts: number[] = []
  let length = 0
  for (const piece of pieces) {
    starts.push(length)
    length += piece.text.length
  }
  return {
    text: pieces.map(({ text }) => text).join(''),
    offsetInFile: (offset) => {
      let [low, high] = [0, starts.length - 1]
      while (low < high) {
        const middle = Math.ceil((low + high) / 2)
        if ((starts[middle] ?? 0) <= offset) low = middle
        else high = middle - 1
      }
      return (pieces[low]?.at ?? 0) + offset - (starts[low] ?? 0)
    },
  }
}
