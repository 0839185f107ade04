import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { Failure, systemCode } from '@switchyard/cli-kit/failure'

/** A file to be replaced: `path` for people, what was read of it, and its mode. */
export type Original = { absolute: string; path: string; bytes: Uint8Array; mode: number }

/**
 * Puts new bytes in place of a file at once: a reader sees the old file or the new one. Exits 1 for a read-only file,
 * 5 when the file is not what was read any more, 8 when the disk refuses; the file is as it was then.
 */
export function replaceFile(original: Original, bytes: Uint8Array): void {
  const { absolute, path, mode } = original
  if ((mode & 0o222) === 0) {
    throw new Failure('failed', `${path} is read-only`, { hint: 'make it writable, or mend it by hand' })
  }
  const draft = join(dirname(absolute), draftName(absolute, process.pid))
  try {
    removeDeadDrafts(absolute)
    writeNew(draft, bytes, mode)
    if (!isUnchanged(original)) {
      throw new Failure('conflict', `${path} was changed while it was being mended; nothing was written`, {
        hint: 'try again',
      })
    }
    renameSync(draft, absolute)
  } catch (error) {
    unlinkIfThere(draft)
    const code = systemCode(error) ?? ''
    if (!diskErrors.includes(code)) throw error
    throw new Failure('outside', `${path} cannot be written (${code}); it is as it was`, { cause: error })
  }
}

const diskErrors = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'EIO', 'ENAMETOOLONG', 'ENOENT']

/** Hidden and of no language, so that no scan takes it for a source; the pid tells whether its writer is alive. */
function draftName(absolute: string, pid: number | string): string {
  return `.${basename(absolute).slice(0, 200)}.${pid}.deepscan.tmp`
}

/** Takes away what killed fixes of this file left, and what an earlier process of the same pid did. */
function removeDeadDrafts(absolute: string): void {
  const folder = dirname(absolute)
  for (const name of readdirSync(folder)) {
    const pid = /\.(\d+)\.deepscan\.tmp$/.exec(name)?.[1]
    if (pid === undefined || name !== draftName(absolute, pid)) continue
    if (Number(pid) === process.pid || !isAlive(Number(pid))) unlinkIfThere(join(folder, name))
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    if (systemCode(error) === 'EPERM') return true
    if (systemCode(error) === 'ESRCH') return false
    throw error
  }
}

function isUnchanged({ absolute, bytes }: Original): boolean {
  try {
    return readFileSync(absolute).equals(bytes)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false
    throw error
  }
}

function writeNew(path: string, bytes: Uint8Array, mode: number): void {
  const file = openSync(path, 'wx', 0o600)
  try {
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written)
    fchmodSync(file, mode)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function unlinkIfThere(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
  }
}
