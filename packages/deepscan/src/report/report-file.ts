import { linkSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import process from 'node:process'
import { makeFolder } from '@switchyard/ground/disk'
import { Failure, systemCode } from '@switchyard/ground/failure'
import { replaceWhole } from '@switchyard/ground/whole-file'

/**
 * Writes a file that others see whole or not at all. Exits 5 when there is one and `force` is not given, 8 when the
 * disk refuses; what was there stays then.
 */
export function writeReportFile(path: string, named: string, pieces: Iterable<string>, force: boolean): void {
  const draft = `${path}.${process.pid}.draft`
  try {
    makeFolder(dirname(path))
    if (force) replaceWhole(path, draft, bytesOf(pieces))
    else placeWhole(path, draft, pieces)
  } catch (error) {
    const code = systemCode(error)
    if (code === 'EEXIST') {
      throw new Failure('conflict', `${named} is there already`, { hint: 'name another file, or add --force' })
    }
    if (code === undefined) throw error
    throw new Failure('outside', `${named} cannot be written (${code})`, { cause: error })
  }
}

/** Puts a file where there is none, also when somebody else makes one meanwhile. */
function placeWhole(path: string, draft: string, pieces: Iterable<string>): void {
  const whole = `${draft}.whole`
  replaceWhole(whole, draft, bytesOf(pieces))
  try {
    linkSync(whole, path)
  } finally {
    rmSync(whole, { force: true })
  }
}

function* bytesOf(pieces: Iterable<string>): Generator<Buffer> {
  for (const piece of pieces) yield Buffer.from(piece)
}
