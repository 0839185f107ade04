import { isFailure } from '@switchyard/ground/failure'
import type { Store } from '@switchyard/topic'
import { findBlobFault } from '@switchyard/topic/blob-file'

/** What keeps a blob from being had, also a disk that refuses it, or a link; undefined when nothing does. */
export function blobFault(store: Store, blob: Parameters<typeof findBlobFault>[1]): string | undefined {
  try {
    return findBlobFault(store, blob)
  } catch (error) {
    if (isFailure(error)) return `its blob ${blob.sha256} cannot be read: ${error.message}`
    throw error
  }
}
