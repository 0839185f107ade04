import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { Context } from '../finding/context.ts'
import { languageOf } from '../syntax/language.ts'
import { isBinary } from '../text/source-text.ts'
import { estimateTokens } from '../tokens/estimate-tokens.ts'
import { contextOf } from './kind.ts'

type Encoding = 'utf8' | 'latin1' | 'utf16le' | 'utf16be'

/** What a manifest says of a file's content. */
export type Measured = {
  bytes: number
  lines: number
  sha256: string
  language: string | null
  kind: Context
  encoding: Encoding
  mark: boolean
  tokens: number
}

const headUnits = 8_192

/** Measures a file's bytes; `below` is its path from what was asked for. Nothing comes back for what is no text. */
export function measureFile(below: string, bytes: Buffer): Measured | undefined {
  const { encoding, mark } = encodingOf(bytes)
  if ((encoding === 'utf8' || encoding === 'latin1') && isBinary(bytes)) return undefined
  const text = decodeText(bytes, encoding, mark)
  const head = text.slice(0, headUnits)
  return {
    bytes: bytes.length,
    lines: countLines(text),
    sha256: sha256Of(bytes),
    language: languageOf(below, head) ?? null,
    kind: contextOf(below, head),
    encoding,
    mark,
    tokens: estimateTokens(text),
  }
}

export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** By its byte order mark, else UTF-8 when it is valid, else one character a byte. */
function encodingOf(bytes: Buffer): { encoding: Encoding; mark: boolean } {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: 'utf16le', mark: true }
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encoding: 'utf16be', mark: true }
  const mark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  return isUtf8(bytes) ? { encoding: 'utf8', mark } : { encoding: 'latin1', mark: false }
}

/** The text of a file without its byte order mark. */
export function decodeText(bytes: Buffer, encoding: Encoding, mark: boolean): string {
  if (encoding === 'utf8') return bytes.toString('utf8', mark ? 3 : 0)
  if (encoding === 'latin1') return bytes.toString('latin1')
  const units = bytes.subarray(2, bytes.length - (bytes.length % 2))
  return encoding === 'utf16le' ? units.toString('utf16le') : Buffer.from(units).swap16().toString('utf16le')
}

/** Ends of lines, and a last line without one. Only LF ends a line. */
function countLines(text: string): number {
  let lines = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1
  return text === '' || text.endsWith('\n') ? lines : lines + 1
}
