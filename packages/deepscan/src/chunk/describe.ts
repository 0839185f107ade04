import { createHash } from 'node:crypto'
import { estimateTokens } from '../tokens/estimate-tokens.ts'
import type { CutBy } from './block.ts'
import type { CutText } from './cut-text.ts'
import type { Packed } from './pack.ts'
import { fits } from './split.ts'

type Encoding = 'utf8' | 'latin1' | 'utf16le' | 'utf16be'

/** A file of a scan: its bytes and the text that they are without the byte order mark. */
export type FileText = {
  path: string
  language: string | null
  encoding: Encoding
  mark: boolean
  bytes: Buffer
  text: string
}

/** Where a piece of a file lies. Bytes count from 0, the end is exclusive; lines count from 1, the end is inclusive. */
type Span = { path: string; start_byte: number; end_byte: number; start_line: number; end_line: number }

/** A piece of a file with all that its chunk says of it. */
export type FilePiece = Packed & {
  span: Span
  characters: number
  tokens: number
  /** A hash of its bytes. */
  content: string
  language: string | null
  by: CutBy
  header: string | null
  flags: readonly string[]
}

const longLine = 'over-long line'
const overBudget = 'over budget'

/**
 * Says of each piece where it lies and what it holds. A piece inside its file begins `overlap` units earlier, at the
 * start of a line where one is near.
 */
export function describePieces(file: FileText, cut: CutText, overlap: number): readonly FilePiece[] {
  const placeAt = placesIn(file)
  return cut.pieces.map((piece) => {
    const start = overlap === 0 ? piece.start : overlappedStart(file.text, piece.start, overlap)
    const text = file.text.slice(start, piece.end)
    const [from, to] = [placeAt(start), placeAt(piece.end)]
    const endsLine = text.endsWith('\n')
    const header = piece.start === 0 ? '' : [cut.imports, ...piece.scopes].filter((line) => line !== '').join('\n')
    return {
      path: file.path,
      share: piece.share,
      isInside: piece.start > 0,
      span: {
        path: file.path,
        start_byte: from.byte,
        end_byte: to.byte,
        start_line: from.line,
        end_line: endsLine ? to.line - 1 : to.line,
      },
      characters: text.length,
      tokens: estimateTokens(text),
      content: createHash('sha256').update(file.bytes.subarray(from.byte, to.byte)).digest('hex'),
      language: file.language,
      by: piece.by,
      header: header === '' ? null : header,
      flags: [...(piece.by === 'hard' ? [longLine] : []), ...(fits(piece.share) ? [] : [overBudget])],
    }
  })
}

type Place = { byte: number; line: number }

/** Finds bytes and lines of offsets, which are asked for nearly in order: each goes on from the one before. */
function placesIn({ text, bytes, encoding, mark }: FileText): (offset: number) => Place {
  const markBytes = !mark ? 0 : encoding === 'utf8' ? 3 : 2
  const isPlain = encoding === 'latin1' || bytes.length - markBytes === text.length
  const bytesOf = (from: number, to: number) =>
    isPlain ? to - from : encoding === 'utf8' ? Buffer.byteLength(text.slice(from, to)) : 2 * (to - from)
  let known = { offset: 0, byte: markBytes, line: 1 }
  return (offset) => {
    const { offset: from, byte, line } = offset < known.offset ? { offset: 0, byte: markBytes, line: 1 } : known
    known = { offset, byte: byte + bytesOf(from, offset), line: line + lineEnds(text, from, offset) }
    if (offset === 0) return { byte: 0, line: 1 }
    return { byte: offset === text.length ? bytes.length : known.byte, line: known.line }
  }
}

function lineEnds(text: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count++
  return count
}

function overlappedStart(text: string, start: number, overlap: number): number {
  const earliest = Math.max(start - overlap, 0)
  if (earliest === 0 || start === 0) return earliest
  const lineStart = text.indexOf('\n', earliest - 1) + 1
  if (lineStart > 0 && lineStart < start) return lineStart
  return /[\uDC00-\uDFFF]/.test(text.charAt(earliest)) ? earliest + 1 : earliest
}
