// Text for a body or comment: from a flag, a file or stdin, byte for byte.

import { Failure, systemCode } from '@switchyard/ground/failure'
import { readFileSync, resolve } from '@switchyard/ground/machine'
import type { Context } from './context.ts'

/** The longest body or comment, in bytes of UTF-8. */
export const bodyBytesMax = 16 * 1024 * 1024

const lineFeed = 10

type BodySource = {
  readonly text?: string | undefined
  readonly file?: string | undefined
  readonly stdin?: string | undefined
  /** What to do about another word where stdin may stand. */
  readonly hint?: string
}

/**
 * The one text that was given, or undefined. Exits 2 when several were, or when it is not UTF-8, and 3 when the file
 * is not there.
 */
export function readBody(
  { text, file, stdin, hint }: BodySource,
  { cwd, input }: Pick<Context, 'cwd' | 'input'>,
): string | undefined {
  if (stdin !== undefined && stdin !== '-') {
    throw new Failure('usage', `expected - for stdin, got "${stdin}"`, { hint: hint ?? 'put the text behind -m' })
  }
  const given = [text, file, stdin].filter((source) => source !== undefined)
  if (given.length > 1) throw new Failure('usage', 'expected one text, got several: a flag, a file or -')
  const body =
    stdin === '-' || file === '-'
      ? decode(input.readAll(), 'stdin')
      : file === undefined
        ? text
        : decode(readFile(resolve(cwd, file)), file)
  if (body !== undefined && Buffer.byteLength(body) > bodyBytesMax) {
    throw new Failure('usage', `expected a text of at most ${bodyBytesMax} bytes, got a longer one`)
  }
  return body
}

/**
 * All of a file, or of stdin for `-`. Exits 2 when it has more than `bytesMax` or is not UTF-8, and 3 when the file is
 * not there.
 */
export function readText(file: string, { cwd, input }: Pick<Context, 'cwd' | 'input'>, bytesMax: number): string {
  const chunks = file === '-' ? input.chunks() : [readFile(resolve(cwd, file))]
  const kept: Buffer[] = []
  let bytes = 0
  for (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > bytesMax) throw new Failure('usage', `expected at most ${bytesMax} bytes, got more`)
    kept.push(chunk)
  }
  return decode(Buffer.concat(kept), file === '-' ? 'stdin' : file)
}

/** The lines of a file as bytes, the last one also without its end. Exits 3 when it is not there. */
export function* readLinesOf(path: string): Generator<Buffer> {
  const bytes = readFile(path)
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(lineFeed, start)
    yield bytes.subarray(start, end === -1 ? bytes.length : end)
    start = end === -1 ? bytes.length : end + 1
  }
}

function readFile(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    const kind = code === 'ENOENT' ? 'notFound' : 'usage'
    throw new Failure(kind, `expected a file with the text, got ${path}: ${code}`, { cause: error })
  }
}

function decode(bytes: Buffer, source: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new Failure('usage', `expected UTF-8, got other bytes from ${source}`, {
      hint: 'convert it, or attach a path',
      cause: error,
    })
  }
}
