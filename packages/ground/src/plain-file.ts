// Small files of a store, read and written whole: never through a link, and never one without an end.

import { noLink, readOnly } from './disk-answer.ts'
import { closeSync, constants, fstatSync, fsyncSync, openSync, readFileSync, writeFileSync } from './machine.ts'

const writeOnly = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | noLink

/**
 * The bytes of a file; undefined where a device, a pipe or a folder is in its place. Throws what the disk answers,
 * ELOOP for a link.
 */
export function readPlainFile(path: string): Buffer | undefined {
  const fd = openSync(path, readOnly)
  try {
    return fstatSync(fd).isFile() ? readFileSync(fd) : undefined
  } finally {
    closeSync(fd)
  }
}

/** Writes a file anew, and with `flush` onto the disk. Throws what the disk answers, ELOOP for a link. */
export function writePlainFile(path: string, content: string | Uint8Array, { flush = false } = {}): void {
  const fd = openSync(path, writeOnly, 0o666)
  try {
    writeFileSync(fd, content)
    if (flush) fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
