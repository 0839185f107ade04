// When the disk does not let a log be read: that is nobody's bug.
import { Failure, systemCode } from '@switchyard/cli-kit/failure'

const refusals = ['EACCES', 'EPERM', 'EIO', 'EISDIR', 'ELOOP', 'EMFILE', 'ENFILE', 'ENAMETOOLONG', 'ENXIO', 'ESTALE']
const absences = ['ENOENT', 'ENOTDIR']

/**
 * What `read` finds at `path`, or undefined when nothing is there; a file in the place of a folder above means that,
 * too. Failure `failed` with the answer of the disk when it refuses.
 */
export function readFromDisk<T>(path: string, read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    const code = systemCode(error) ?? ''
    if (absences.includes(code)) return undefined
    if (!refusals.includes(code)) throw error
    throw new Failure('failed', `${path} was to be read, the disk answered ${code}`, { cause: error })
  }
}
