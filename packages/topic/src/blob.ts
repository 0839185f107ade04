import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pid } from 'node:process'
import { readIfThere } from './repository.ts'
import type { Store } from './store.ts'

export type BlobRef = { sha256: string; bytes: number }

function blobPath(store: Store, sha256: string): string {
  return join(store.path, 'blobs', sha256.slice(0, 2), sha256)
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}

/** Writes `bytes` under their own hash and onto the disk, before anything refers to them. The same bytes are written once. */
export async function writeBlob(store: Store, bytes: Uint8Array): Promise<BlobRef> {
  const { createHash } = await import('node:crypto')
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const path = blobPath(store, sha256)
  if (!existsSync(path)) {
    mkdirSync(dirname(path), { recursive: true })
    const draft = `${path}.${pid}.draft`
    writeFileSync(draft, bytes, { flush: true })
    renameSync(draft, path)
    syncFolder(dirname(path))
  }
  return { sha256, bytes: bytes.length }
}

/** The text of a blob, or undefined when the store does not have it. */
export function readBlobText(store: Store, { sha256 }: BlobRef): string | undefined {
  return readIfThere(blobPath(store, sha256))
}
