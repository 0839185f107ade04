// When the disk does not let a log be read: that is nobody's bug.

import { Failure, systemCode } from './failure.ts'
import { constants } from './machine.ts'

const refusals = ['EACCES', 'EPERM', 'EIO', 'EISDIR', 'EMFILE', 'ENFILE', 'ENAMETOOLONG', 'ENXIO', 'ESTALE']
const absences = ['ENOENT', 'ENOTDIR']

/** For every open of a file in a store: what came with a repository may be a link to anything of its user's. */
export const noLink = constants.O_NOFOLLOW
/** To read such a file. A pipe in its place would keep an ordinary open waiting for its writer. */
export const readOnly = constants.O_RDONLY | constants.O_NONBLOCK | noLink

/** What to throw where a link stands in a store. */
export function linkFailure(path: string, cause?: unknown): Failure {
  return new Failure('conflict', `${path} is a link, and no store is read or written through one`, {
    hint: 'put what it leads to in its place, or name another store',
    retryable: false,
    cause,
  })
}

/** The failure that the disk means by its answer to an open without links; any other error as it came. */
export function asLinkFailure(error: unknown): unknown {
  if (systemCode(error) !== 'ELOOP' || !(error instanceof Error)) return error
  return linkFailure('path' in error ? String(error.path) : 'a file of the store', error)
}

/**
 * What `read` finds at `path`, or undefined when nothing is there; a file in the place of a folder above means that,
 * too. Failure `conflict` for a link, `failed` with the answer of the disk when it refuses.
 */
export function readFromDisk<T>(path: string, read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    const code = systemCode(error) ?? ''
    if (absences.includes(code)) return undefined
    if (!refusals.includes(code)) throw asLinkFailure(error)
    throw new Failure('failed', `${path} was to be read, the disk answered ${code}`, { cause: error })
  }
}
