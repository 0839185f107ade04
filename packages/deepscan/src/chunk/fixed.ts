export type FixedSize = { size: number; overlap: number }

/**
 * Cuts texts that lie one after the other into chunks of exactly `size` UTF-16 units, wherever that falls; each begins
 * `overlap` units before the end of the one before. The last is shorter, and never holds only what the one before
 * holds. `take` makes a piece of a stretch of a file.
 */
export function* fixedChunks<F extends { text: string }, P>(
  files: Iterable<F>,
  { size, overlap }: FixedSize,
  take: (file: F, start: number, end: number) => P,
): Generator<readonly P[]> {
  const step = size - overlap
  let open: { from: number; pieces: P[] }[] = []
  let [at, next] = [0, 0]
  for (const file of files) {
    const { text } = file
    const end = at + text.length
    for (; next < end; next += step) open.push({ from: next, pieces: [] })
    for (const { from, pieces } of open) {
      const [start, stop] = [Math.max(from - at, 0), Math.min(from + size - at, text.length)]
      if (stop > start) pieces.push(take(file, insideCharacter(text, start), insideCharacter(text, stop)))
    }
    yield* open.filter(({ from }) => from + size <= end).map(({ pieces }) => pieces)
    open = open.filter(({ from }) => from + size > end)
    at = end
  }
  yield* open.filter(({ from }) => from === 0 || from + overlap < at).map(({ pieces }) => pieces)
}

/** An offset that would fall between the halves of a character goes before it. */
function insideCharacter(text: string, at: number): number {
  const isBetween = at > 0 && /[\uD800-\uDBFF]/.test(text.charAt(at - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(at))
  return isBetween ? at - 1 : at
}
