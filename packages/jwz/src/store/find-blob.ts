import { Failure } from '@switchyard/ground/failure'
import type { Store } from '@switchyard/topic'
import { findBlobFault, findBlobs } from '@switchyard/topic/blob-file'

/** Characters of a hash's beginning that name a blob. */
const prefixLengthMin = 6
/** Hashes that an ambiguous prefix is answered with. */
const candidatesMax = 5

/**
 * The hash of the one blob that `prefix` begins, its bytes checked against it. Fails as bad input on what is no such
 * prefix, as not found, as ambiguous, and as corrupt when the bytes are others than were put there.
 */
export function findBlob(store: Store, prefix: string): string {
  const wanted = prefix.toLowerCase()
  if (!/^[0-9a-f]{6,64}$/.test(wanted)) {
    throw new Failure(
      'usage',
      `a blob is named by its SHA-256 or at least ${prefixLengthMin} characters of its beginning; got ${JSON.stringify(prefix)}`,
    )
  }
  const found = findBlobs(store, wanted)
  const [sha256, second] = found
  if (sha256 === undefined) {
    throw new Failure('notFound', `no blob ${prefix} in ${store.path}`, {
      hint: 'jwz show lists the files of a message, jwz blob put prints the hash of a new one',
    })
  }
  if (second !== undefined) {
    const count = found.length > candidatesMax ? `more than ${candidatesMax}` : found.length
    throw new Failure('ambiguous', `${prefix} names ${count} blobs: ${found.slice(0, candidatesMax).join(' ')}`, {
      hint: 'give more of the hash',
    })
  }
  if (findBlobFault(store, { sha256 }) !== undefined) {
    throw new Failure('corrupt', `the blob ${sha256} has other bytes than were put into ${store.path}`, {
      hint: 'put the file there again, where somebody has it; jwz check names the messages that lost it',
    })
  }
  return sha256
}
