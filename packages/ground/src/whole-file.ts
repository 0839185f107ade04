// Files that are replaced whole: others see the old one or the new one, whatever is killed whenever.

import { syncFolder } from './disk.ts'
import {
  closeSync,
  copyFileSync,
  dirname,
  fchmodSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from './machine.ts'
import { writePlainFile } from './plain-file.ts'

/**
 * Writes a file that others see whole or not at all, and keeps it through a power cut. `draft` is a path of its own
 * beside it.
 */
export function writeWhole(path: string, draft: string, content: string | Uint8Array): void {
  writePlainFile(draft, content, { flush: true })
  renameSync(draft, path)
  syncFolder(dirname(path))
}

/**
 * Copies a file so that others see the copy whole or not at all, and onto the disk. `draft` is a path of its own beside
 * it. Throws what the disk answers.
 */
export function copyWhole(from: string, to: string, draft: string): void {
  copyFileSync(from, draft)
  const fd = openSync(draft, 'r+')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
  renameSync(draft, to)
  syncFolder(dirname(to))
}

/** `mode`: of the new file, whatever the umask; `check` is called when the draft is on the disk, and may refuse by throwing. */
type Replacing = { readonly mode?: number; readonly check?: () => void }

/**
 * Writes a file of any size, piece by piece, and returns its bytes. `draft` is a path beside it that nobody else uses.
 * When something fails, the draft is gone and the file is as it was. Throws what the disk answers.
 */
export function replaceWhole(
  path: string,
  draft: string,
  pieces: Iterable<Uint8Array>,
  { mode, check }: Replacing = {},
): number {
  let bytes = 0
  const fd = openSync(draft, 'wx', mode === undefined ? 0o666 : 0o600)
  try {
    for (const piece of pieces) {
      writeAll(fd, piece)
      bytes += piece.length
    }
    if (mode !== undefined) fchmodSync(fd, mode)
    fsyncSync(fd)
    check?.()
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  } finally {
    closeSync(fd)
  }
  return bytes
}

/** Writes all bytes to an open file, where a write that takes only a part of them is gone on with. */
export function writeAll(fd: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written)
}
