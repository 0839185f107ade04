// The lines of what is imported, readable more than once: nothing may be written before all of it has been looked at,
// and all of it need not fit into memory.
import { closeSync, fstatSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Context } from '@switchyard/cli-kit'
import { Failure, systemCode } from '@switchyard/ground/failure'
import { ulid } from '@switchyard/ground/ulid'

/** A line: its number in the file from 1, its bytes without the LF, and the places of its first byte and its end. */
export type SourceLine = { number: number; bytes: Buffer; start: number; end: number }

/** A part of the file, in bytes. */
export type Extent = { start: number; end: number }

export type ImportSource = {
  /** The lines of the file or of a part of it; the last counts without an LF, too. Numbers count from its start. */
  lines: (extent?: Extent) => Iterable<SourceLine>
  close: () => void
}

const blockBytes = 256 * 1024
/** More than the longest body has as JSON, where each of its bytes may be six. */
const lineBytesMax = 400 * 1024 * 1024
const lineFeed = 10

/** Opens a file; what cannot be read twice (stdin, a pipe) is copied first. Fails as not found, or as bad input. */
export function openSource(file: string | undefined, { cwd, input, now }: Context): ImportSource {
  if (file === undefined && input.isTerminal) {
    throw new Failure('usage', 'expected a file to import, or - for stdin, got neither', {
      hint: 'jwz import bus.jsonl',
    })
  }
  if (file === undefined || file === '-') return sourceOf(copyOf(input.lines(lineBytesMax), now()))
  const descriptor = openFile(resolve(cwd, file))
  const stats = fstatSync(descriptor)
  if (stats.isDirectory()) {
    closeSync(descriptor)
    throw new Failure('usage', `expected a file to import, got the folder ${file}`)
  }
  if (stats.isFile()) return sourceOf(descriptor)
  try {
    const lines = linesIn(descriptor, { start: 0, end: Number.POSITIVE_INFINITY }, null)
    return sourceOf(copyOf(bytesOf(lines), now()))
  } finally {
    closeSync(descriptor)
  }
}

function openFile(path: string): number {
  try {
    return openSync(path, 'r')
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    const kind = code === 'ENOENT' ? 'notFound' : 'failed'
    throw new Failure(kind, `expected a file to import, got ${path}: ${code}`, { cause: error })
  }
}

function sourceOf(descriptor: number): ImportSource {
  return {
    lines: (extent = { start: 0, end: Number.POSITIVE_INFINITY }) => linesIn(descriptor, extent, extent.start),
    close: () => closeSync(descriptor),
  }
}

function* bytesOf(lines: Iterable<SourceLine>): Generator<Buffer> {
  for (const { bytes } of lines) yield bytes
}

/** Copies lines into a file without a name, which is gone when it is closed, also by a kill. */
function copyOf(lines: Iterable<Buffer>, now: number): number {
  const path = join(tmpdir(), `jwz-import-${ulid(now)}`)
  const write = <T>(act: () => T): T => {
    try {
      return act()
    } catch (error) {
      const code = systemCode(error)
      if (code === undefined) throw error
      throw new Failure('failed', `what is imported was to be copied to ${path}, the disk answered ${code}`, {
        hint: 'make room there, set TMPDIR, or import a file',
        cause: error,
      })
    }
  }
  const descriptor = write(() => openSync(path, 'wx+', 0o600))
  try {
    unlinkSync(path)
    let block: Buffer[] = []
    let bytes = 0
    const flush = () => {
      const all = Buffer.concat(block)
      for (let at = 0; at < all.length; ) at += write(() => writeSync(descriptor, all, at))
      block = []
      bytes = 0
    }
    for (const line of lines) {
      block.push(line, Buffer.of(lineFeed))
      bytes += line.length + 1
      if (bytes >= blockBytes) flush()
    }
    flush()
    return descriptor
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

/** `position` is where to read, or null for a pipe, which is read as it comes. */
function* linesIn(descriptor: number, { start, end }: Extent, position: number | null): Generator<SourceLine> {
  let number = 1
  let offset = start
  let pieces: Buffer[] = []
  let held = 0
  for (let at = start; at < end; ) {
    const block = Buffer.allocUnsafe(Math.min(blockBytes, end - at))
    const filled = block.subarray(0, readSync(descriptor, block, 0, block.length, position === null ? null : at))
    if (filled.length === 0) break
    let from = 0
    for (let found = filled.indexOf(lineFeed); found >= 0; found = filled.indexOf(lineFeed, from)) {
      const bytes = Buffer.concat([...pieces, filled.subarray(from, found)])
      yield { number, bytes, start: offset, end: at + found + 1 }
      pieces = []
      held = 0
      number += 1
      from = found + 1
      offset = at + from
    }
    pieces.push(filled.subarray(from))
    held += filled.length - from
    if (held > lineBytesMax) {
      throw new Failure('usage', `line ${number} has more than ${lineBytesMax} bytes, no message has`)
    }
    at += filled.length
  }
  const bytes = Buffer.concat(pieces)
  if (bytes.length > 0) yield { number, bytes, start: offset, end: offset + bytes.length }
}
