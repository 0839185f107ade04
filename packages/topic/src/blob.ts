import {
  asRefusal,
  entriesIn,
  fileIn,
  folderIn,
  makeFolder,
  readStoredBytes,
  statIfThere,
} from '@switchyard/ground/disk'
import { dirname, join } from '@switchyard/ground/machine'
import { ulid } from '@switchyard/ground/ulid'
import { writeWhole } from '@switchyard/ground/whole-file'
import type { Message } from './message-schema.ts'
import type { Store } from './store.ts'

/** A blob by its hash and length. */
export type BlobRef = NonNullable<Message['blob']>

/** So much older than the line that names it a blob may be: less than a compaction leaves alone. */
const ageMsMax = 10 * 60_000

/** Where the blobs of a store lie. */
export function blobsFolder(store: Store): string {
  return folderIn(store, 'blobs')
}

/** Where the blob with this hash is written. */
export function blobPath(store: Store, sha256: string): string {
  return fileIn(store, `blobs/${sha256.slice(0, 2)}/${sha256}`)
}

/** Where to read it: a compaction, killed half-way, leaves one aside, under its name with an ending. */
export function placeOfBlob(store: Store, sha256: string): string {
  const path = blobPath(store, sha256)
  if (statIfThere(path)) return path
  const aside = entriesIn(dirname(path)).find(({ name }) => name.startsWith(sha256) && name.endsWith('.aside'))
  return aside ? join(dirname(path), aside.name) : path
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
  try {
    makeFolder(dirname(path))
    // Also one that is there is written: its own writer may not have synced its name yet, and ours is about to be
    // acknowledged.
    writeWhole(path, `${path}.${ulid(now)}.draft`, bytes)
  } catch (error) {
    throw asRefusal(`a body of ${bytes.length} bytes was to be kept in ${store.path}`, error)
  }
  return { sha256, bytes: bytes.length }
}

/** The bytes of a blob, or undefined when the store does not have it, or not all of it. */
export function readBlob(store: Store, { sha256, bytes }: BlobRef): Buffer | undefined {
  const path = placeOfBlob(store, sha256)
  const stats = statIfThere(path)
  // A pipe in its place would never end, and what has another length is not worth reading.
  if (!stats?.isFile() || stats.size !== bytes) return undefined
  const content = readStoredBytes(path)
  return content?.length === bytes ? content : undefined
}

/** The text of a blob, or undefined when the store does not have it, or not all of it. */
export function readBlobText(store: Store, ref: BlobRef): string | undefined {
  return readBlob(store, ref)?.toString()
}

/**
 * To be called when the line that names a body's blob is in the log at `path`: writes the blob again where the process
 * stood still between the two for so long that it may have been removed as unused.
 */
export async function keepBlob(store: Store, path: string, { blob, body }: Message, now: number): Promise<void> {
  if (!blob) return
  const written = statIfThere(blobPath(store, blob.sha256))?.mtimeMs ?? 0
  const appended = statIfThere(path)?.mtimeMs ?? Number.POSITIVE_INFINITY
  const bytes = Buffer.from(body)
  if (appended - written > ageMsMax && bytes.length === blob.bytes) await writeBlob(store, bytes, now)
}
