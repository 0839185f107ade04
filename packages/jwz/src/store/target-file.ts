import { closeSync, openSync, realpathSync } from 'node:fs'
import { statAt } from '@switchyard/ground/at-path'
import { writeAll } from '@switchyard/ground/whole-file'
import { writeBytesOut } from '@switchyard/topic/out-file'
import { orUnwritten } from '@switchyard/topic/unwritten'

/**
 * Writes a file that somebody named, so that it is there whole or as it was before, and makes its folder; a device or
 * pipe is written as it is. Returns how many bytes. `now` is milliseconds since 1970. Fails as `failed` when the disk
 * refuses.
 */
export function writeTarget(path: string, pieces: Iterable<Uint8Array>, now: number): number {
  return orUnwritten(`${path} was to be written`, () => {
    const stats = statAt(path)
    if (stats && !stats.isFile()) return writeThrough(path, pieces)
    return writeBytesOut(stats ? realpathSync.native(path) : path, pieces, now)
  })
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
