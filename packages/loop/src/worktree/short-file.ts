// Files that a runner may have put anything in the place of: a link, a pipe, a folder, or far too much.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { systemCode } from '@switchyard/ground/failure'

const bytesMax = 65_536
const unreadable = ['ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR', 'ENXIO', 'EACCES', 'EMLINK']

/** The text of a plain file of at most 64 KB; undefined when there is none, or something else. Follows no link. */
export function readShortFile(path: string): string | undefined {
  let file: number
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    if (unreadable.includes(systemCode(error) ?? '')) return undefined
    throw error
  }
  try {
    const stats = fstatSync(file)
    if (!stats.isFile() || stats.size > bytesMax) return undefined
    const bytes = Buffer.alloc(stats.size)
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, stats.size, 0))
  } finally {
    closeSync(file)
  }
}
