// A file of the cache: a head, and pieces that are read only when somebody asks for them.

import { systemCode } from '@switchyard/ground/failure'
import { closeSync, constants, fstatSync, openSync, readSync, renameSync, utimesSync } from '@switchyard/ground/machine'
import { writePlainFile } from '@switchyard/ground/plain-file'

/** Where a piece lies behind the head, in bytes. */
export type Piece = readonly [at: number, bytes: number]

/** An open file; it is closed when nobody can reach it any more. */
export type CacheFile = { readonly head: string; readonly read: (piece: Piece) => string }

/**
 * The time of the last change that a finished file is given. Whatever writes to it later, be it by accident, sets
 * another, so the content need not be checked. In seconds since 1970, even for file systems that count in twos.
 */
const sealSeconds = 1_000_000_000
const lengthBytes = 16
const unreadable = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EISDIR', 'ELOOP', 'EIO', 'ENXIO']

const unreachable = new FinalizationRegistry<number>((fd) => closeSync(fd))

/** Opens a cache file; undefined when there is none, or not one that `writeCacheFile` has left like this. */
export function openCacheFile(path: string): CacheFile | undefined {
  const fd = openIfThere(path)
  if (fd === undefined) return undefined
  const stats = fstatSync(fd)
  const length =
    stats.isFile() && stats.mtimeMs === sealSeconds * 1000 ? Number(textAt(fd, 0, lengthBytes)) : Number.NaN
  if (!Number.isSafeInteger(length) || lengthBytes + length > stats.size) {
    closeSync(fd)
    return undefined
  }
  const file = {
    head: textAt(fd, lengthBytes, length),
    read: ([at, bytes]: Piece) => textAt(fd, lengthBytes + length + at, bytes),
  }
  unreachable.register(file, fd)
  return file
}

/** Writes a cache file that others see whole or not at all; `draft` is a path of its own beside it. */
export function writeCacheFile(path: string, draft: string, head: string, pieces: readonly Buffer[]): void {
  const bytes = Buffer.from(head)
  const length = Buffer.from(`${String(bytes.length).padStart(lengthBytes - 1)}\n`)
  writePlainFile(draft, Buffer.concat([length, bytes, ...pieces]), { flush: true })
  utimesSync(draft, sealSeconds, sealSeconds)
  renameSync(draft, path)
}

function openIfThere(path: string): number | undefined {
  try {
    // A pipe in its place would keep an ordinary open waiting for its writer.
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
  } catch (error) {
    if (unreadable.includes(systemCode(error) ?? '')) return undefined
    throw error
  }
}

function textAt(fd: number, offset: number, length: number): string {
  const bytes = Buffer.allocUnsafe(length)
  let filled = 0
  while (filled < length) {
    const count = readSync(fd, bytes, filled, length - filled, offset + filled)
    if (count === 0) break
    filled += count
  }
  return bytes.toString('utf8', 0, filled)
}
