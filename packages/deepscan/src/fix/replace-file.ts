import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { Failure, systemCode } from '@switchyard/ground/failure'
import { isPidInUse } from '@switchyard/ground/process-name'
import { replaceWhole } from '@switchyard/ground/whole-file'

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
    replaceWhole(absolute, draft, [bytes], { mode, check: () => requireUnchanged(original) })
  } catch (error) {
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
    if (Number(pid) === process.pid || !isPidInUse(Number(pid))) rmSync(join(folder, name), { force: true })
  }
}

function requireUnchanged(original: Original): void {
  if (isUnchanged(original)) return
  throw new Failure('conflict', `${original.path} was changed while it was being mended; nothing was written`, {
    hint: 'try again',
  })
}

function isUnchanged({ absolute, bytes }: Original): boolean {
  try {
    return readFileSync(absolute).equals(bytes)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false
    throw error
  }
}
