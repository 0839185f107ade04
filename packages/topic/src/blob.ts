import { dirname, join } from 'node:path'
import { makeFolder, orRefused, readBytesIfThere, writeWhole } from './disk.ts'
import type { Message } from './message-schema.ts'
import type { Store } from './store.ts'
import { ulid } from './ulid.ts'

type BlobRef = NonNullable<Message['blob']>

function blobPath(store: Store, sha256: string): string {
  return join(store.path, 'blobs', sha256.slice(0, 2), sha256)
}

// A hash costs more to load than a post takes, so only long bodies pay for it.
async function hashOf(bytes: Uint8Array): Promise<string> {
  const { createHash } = await import('node:crypto')
  return createHash('sha256').update(bytes).digest('hex')
}

/**
 * Writes `bytes` under their own hash and onto the disk, before anything refers to them. `now` is milliseconds since
 * 1970.
 */
export async function writeBlob(store: Store, bytes: Uint8Array, now: number): Promise<BlobRef> {
  const sha256 = await hashOf(bytes)
  const path = blobPath(store, sha256)
  orRefused(`a body of ${bytes.length} bytes was to be kept in ${store.path}`, () => {
    makeFolder(dirname(path))
    // Also one that is there is written: its own writer may not have synced its name yet, and ours is about to be
    // acknowledged.
    writeWhole(path, `${path}.${ulid(now)}.draft`, bytes)
  })
  return { sha256, bytes: bytes.length }
}

/** The bytes of a blob, or undefined when the store does not have it, or not all of it. */
export function readBlob(store: Store, { sha256, bytes }: BlobRef): Buffer | undefined {
  const content = readBytesIfThere(blobPath(store, sha256))
  return content?.length === bytes ? content : undefined
}

/** The text of a blob, or undefined when the store does not have it, or not all of it. */
export function readBlobText(store: Store, ref: BlobRef): string | undefined {
  return readBlob(store, ref)?.toString()
}

/**
 * What is wrong with a message's blob: that it is missing, or has other bytes than were posted. Undefined when nothing
 * is.
 */
export async function findBlobFault(store: Store, { sha256, bytes }: BlobRef): Promise<string | undefined> {
  const content = readBytesIfThere(blobPath(store, sha256))
  if (content === undefined) return `its blob ${sha256} is missing`
  const isWhole = content.length === bytes && (await hashOf(content)) === sha256
  return isWhole ? undefined : `its blob ${sha256} has other bytes`
}
