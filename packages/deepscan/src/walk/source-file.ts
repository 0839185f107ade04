import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { systemCode } from '@switchyard/ground/failure'
import { isBinary } from '../text/source-text.ts'

/** The bytes of a source file and its mode, or why they are not to be scanned. */
export type SourceFile =
  | { bytes: Buffer; mode: number; mtimeMs: number }
  | 'too large'
  | 'binary'
  | 'unreadable'
  | 'vanished'
  | 'not a file'
  | 'symlink'

/** Reads a source file as `readFileBytes` does, and leaves out what is no text. */
export function readSourceFile(path: string, bytesMax: number): SourceFile {
  const file = readFileBytes(path, bytesMax)
  return typeof file !== 'string' && isBinary(file.bytes) ? 'binary' : file
}

/**
 * Reads a file that may change or vanish meanwhile. Never follows a link, never waits for a pipe, never reads more
 * than `bytesMax`.
 */
export function readFileBytes(path: string, bytesMax: number): SourceFile {
  const file = openToRead(path)
  if (typeof file === 'string') return file
  try {
    const stats = fstatSync(file)
    if (!stats.isFile()) return 'not a file'
    if (stats.size > bytesMax) return 'too large'
    const bytes = readUpTo(file, bytesMax + 1)
    if (bytes.length > bytesMax) return 'too large'
    return { bytes, mode: stats.mode & 0o7777, mtimeMs: stats.mtimeMs }
  } finally {
    closeSync(file)
  }
}

const openErrors: ReadonlyMap<string, 'unreadable' | 'vanished' | 'symlink' | 'not a file'> = new Map(
  Object.entries({
    EACCES: 'unreadable',
    EPERM: 'unreadable',
    ENOENT: 'vanished',
    ENOTDIR: 'vanished',
    ELOOP: 'symlink',
    ENXIO: 'not a file',
  } as const),
)

/** Opens a file for reading. Never follows a link, never waits for a pipe. */
export function openToRead(path: string): number | 'unreadable' | 'vanished' | 'symlink' | 'not a file' {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    const reason = openErrors.get(systemCode(error) ?? '')
    if (reason === undefined) throw error
    return reason
  }
}

function readUpTo(file: number, bytesMax: number): Buffer {
  const blocks: Buffer[] = []
  let total = 0
  while (total < bytesMax) {
    const block = Buffer.allocUnsafe(Math.min(65_536, bytesMax - total))
    const length = readSync(file, block)
    if (length === 0) break
    blocks.push(block.subarray(0, length))
    total += length
  }
  return Buffer.concat(blocks)
}
