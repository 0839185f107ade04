// When the disk says no: that is nobody's bug.

import { asLinkFailure } from '@switchyard/ground/disk-answer'
import { Failure, systemCode } from '@switchyard/ground/failure'

const refusals = [
  ...['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'EIO', 'EMFILE', 'ENFILE'],
  ...['EISDIR', 'ENOTDIR', 'EEXIST', 'ENOENT', 'ENOTEMPTY', 'ENAMETOOLONG'],
]

/**
 * Does something with the file or folder at `path`; exits 1, with the answer of the disk, when that refuses, and 5 for a
 * link in the store.
 */
export function orRefused<T>(path: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw asRefusal(path, error)
  }
}

/** The failure that an error of the disk is; any other error as it came. */
export function asRefusal(path: string, error: unknown): unknown {
  const code = systemCode(error)
  if (code === undefined || !refusals.includes(code)) return asLinkFailure(error)
  return new Failure('failed', `expected to use ${path}, the disk answered ${code}`, {
    hint: 'tissue where says why this store was chosen',
    cause: error,
  })
}
