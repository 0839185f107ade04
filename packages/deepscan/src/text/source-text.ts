/**
 * The text of a source file, decoded so that encoding it again gives the same bytes: UTF-8, or one unit a byte
 * (`latin1`)
 * when the bytes are not valid UTF-8. A byte order mark is kept apart; offsets and columns do not count it.
 */
export type SourceText = { text: string; encoding: 'utf8' | 'latin1'; hasMark: boolean }

/**
 * A place in a text: lines and columns from 1, columns in UTF-16 units. Only LF ends a line, so CR belongs to its
 * line.
 */
export type LineColumn = { line: number; column: number }

const byteOrderMark = '\uFEFF'

export function decodeSource(bytes: Uint8Array): SourceText {
  const decoded = decodeUtf8(bytes)
  if (decoded === undefined) return { text: Buffer.from(bytes).toString('latin1'), encoding: 'latin1', hasMark: false }
  const hasMark = decoded.startsWith(byteOrderMark)
  return { text: hasMark ? decoded.slice(1) : decoded, encoding: 'utf8', hasMark }
}

/** The bytes of `text` in the encoding of the source that it was made from. */
export function encodeSource(source: SourceText, text: string): Buffer {
  return Buffer.from(source.hasMark ? byteOrderMark + text : text, source.encoding)
}

/** Whether the first 8 KB hold a NUL, which text does not. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 8192).includes(0)
}

/** Finds places of a text without counting its lines again each time. */
export function indexLines(text: string): (offset: number) => LineColumn {
  const starts = [0]
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) starts.push(end + 1)
  return (offset) => {
    let [low, high] = [0, starts.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 }
  }
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}
