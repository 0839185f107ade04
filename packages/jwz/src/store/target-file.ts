import { closeSync, openSync, realpathSync } from 'node:fs'
import { statAt } from '@switchyard/ground/at-path'
import { Failure, systemCode } from '@switchyard/ground/failure'
import { ulid } from '@switchyard/ground/ulid'
import { replaceWhole, writeAll } from '@switchyard/ground/whole-file'

/**
 * Writes a file that somebody named, so that it is there whole or as it was before; a device or pipe is written as it
 * is. Returns how many bytes. `now` is milliseconds since 1970. Fails as `failed` when the disk refuses.
 */
export function writeTarget(path: string, pieces: Iterable<Uint8Array>, now: number): number {
  try {
    const stats = statAt(path)
    if (stats && !stats.isFile()) return writeThrough(path, pieces)
    const target = stats ? realpathSync.native(path) : path
    return replaceWhole(target, `${target}.${ulid(now)}.draft`, pieces)
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    throw new Failure('failed', `${path} was to be written, the disk answered ${code}`, { cause: error })
  }
}

/** A device or a pipe takes the bytes as they come. */
function writeThrough(path: string, pieces: Iterable<Uint8Array>): number {
  let bytes = 0
  const descriptor = openSync(path, 'w')
  try {
    for (const piece of pieces) {
      writeAll(descriptor, piece)
      bytes += piece.length
    }
  } finally {
    closeSync(descriptor)
  }
  return bytes
}
