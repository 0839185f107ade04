import { closeSync, fsyncSync, openSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { statAt } from '@switchyard/cli-kit/at-path'
import { Failure, systemCode } from '@switchyard/cli-kit/failure'
import { ulid } from '@switchyard/topic'
import { writeAll } from '@switchyard/topic/blob-file'

/**
 * Writes a file that somebody named, so that it is there whole or as it was before; a device or pipe is written as it
 * is. Returns how many bytes. `now` is milliseconds since 1970. Fails as `failed` when the disk refuses.
 */
export function writeTarget(path: string, pieces: Iterable<Uint8Array>, now: number): number {
  try {
    const stats = statAt(path)
    if (stats && !stats.isFile()) return writePieces(path, 'w', pieces)
    const target = stats ? realpathSync.native(path) : path
    const draft = `${target}.${ulid(now)}.draft`
    try {
      const bytes = writePieces(draft, 'wx', pieces)
      renameSync(draft, target)
      return bytes
    } catch (error) {
      rmSync(draft, { force: true })
      throw error
    }
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    throw new Failure('failed', `${path} was to be written, the disk answered ${code}`, { cause: error })
  }
}

function writePieces(path: string, flags: 'w' | 'wx', pieces: Iterable<Uint8Array>): number {
  let bytes = 0
  const descriptor = openSync(path, flags)
  try {
    for (const piece of pieces) {
      writeAll(descriptor, piece)
      bytes += piece.length
    }
    if (flags === 'wx') fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  return bytes
}
