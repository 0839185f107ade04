// Blobs of any size: written, read and checked piece by piece. Loads a hash, which a post must not.
import { createHash } from 'node:crypto'
import { closeSync, constants, fsyncSync, openSync, readSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { entriesIn, makeFolder, orRefused, statIfThere, syncFolder } from '@switchyard/ground/disk'
import { ulid } from '@switchyard/ground/ulid'
import { writeAll } from '@switchyard/ground/whole-file'
import { type BlobRef, blobPath, blobsFolder, placeOfBlob } from './blob.ts'
import { createBus, type Store } from './store.ts'

const pieceBytes = 256 * 1024

/**
 * Keeps bytes under their own hash, taken as they come; makes the bus when there is none. They are on the disk when it
 * returns. `now` is milliseconds since 1970; `mode` that of the file they come from, which nobody may read here who may
 * not read it there. Fails as `failed` when the disk refuses.
 */
export function putBlob(store: Store, pieces: Iterable<Uint8Array>, now: number, mode = 0o666): BlobRef {
  createBus(store)
  return orRefused(`a file was to be kept in ${store.path}`, () => {
    makeFolder(blobsFolder(store))
    const draft = join(blobsFolder(store), `${ulid(now)}.draft`)
    const written = writePieces(draft, pieces, mode & 0o666)
    const path = blobPath(store, written.sha256)
    makeFolder(dirname(path))
    renameSync(draft, path)
    syncFolder(dirname(path))
    return written
  })
}

function writePieces(draft: string, pieces: Iterable<Uint8Array>, mode: number): BlobRef {
  const hash = createHash('sha256')
  let bytes = 0
  const descriptor = openSync(draft, 'wx', mode)
  try {
    for (const piece of pieces) {
      hash.update(piece)
      bytes += piece.length
      writeAll(descriptor, piece)
    }
    fsyncSync(descriptor)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  } finally {
    closeSync(descriptor)
  }
  return { sha256: hash.digest('hex'), bytes }
}

/** The bytes of an open file, a piece at a time. */
export function* piecesOf(descriptor: number): Generator<Buffer> {
  for (;;) {
    const piece = Buffer.allocUnsafe(pieceBytes)
    const count = readSync(descriptor, piece, 0, pieceBytes, null)
    if (count === 0) return
    yield piece.subarray(0, count)
  }
}

/** The bytes of a blob, a piece at a time; none when the store does not have it. */
export function* piecesOfBlob(store: Store, sha256: string): Generator<Buffer> {
  const path = placeOfBlob(store, sha256)
  if (!statIfThere(path)?.isFile()) return
  const descriptor = orRefused(`${path} was to be read`, () =>
    openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW),
  )
  try {
    yield* piecesOf(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * What is wrong with a blob: that it is missing, or has other bytes than were put there. Undefined when nothing is.
 * Without `bytes` any length is right. A Failure when the disk does not give it, or it is a link.
 */
export function findBlobFault(store: Store, { sha256, bytes }: { sha256: string; bytes?: number }): string | undefined {
  const stats = statIfThere(placeOfBlob(store, sha256))
  if (!stats?.isFile()) return `its blob ${sha256} is missing`
  const fault = `its blob ${sha256} has other bytes`
  if (bytes !== undefined && stats.size !== bytes) return fault
  const hash = createHash('sha256')
  for (const piece of piecesOfBlob(store, sha256)) hash.update(piece)
  return hash.digest('hex') === sha256 ? undefined : fault
}

/** What `putBlob` would return for these bytes. */
export function refOf(bytes: Uint8Array): BlobRef {
  return { sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.length }
}

/** The hashes of the blobs that begin with `prefix`, which has at least two characters, sorted. */
export function findBlobs(store: Store, prefix: string): string[] {
  return entriesIn(dirname(blobPath(store, prefix)))
    .map(({ name }) => basename(name).slice(0, 64))
    .filter((name) => /^[0-9a-f]{64}$/.test(name) && name.startsWith(prefix))
    .filter((name, place, names) => names.indexOf(name) === place)
    .sort()
}
