// proper-lockfile, the only file that imports it: it judges locks by age where an owner note cannot, and keeps long
// sections fresh.

import * as fs from 'node:fs'
import { statAt } from '@switchyard/ground/at-path'
import { systemCode } from '@switchyard/ground/failure'
import lockfile from 'proper-lockfile'
import type { Lock } from './owner-note.ts'

type Done = (error: Error | null) => void

// Below the default deadline of a section, so that whoever meets a lock without a note still gets it in time; well
// above the time in which holders refresh it: this package's every 2 s, other users of the library every 5 s.
const staleMs = 8_000
const refreshMs = 2_000

/**
 * Makes the lock directory, removing one that nobody has refreshed for 8 s; false when it is held. Two processes
 * that find the same old directory may both believe they made the new one (the library's own race), so the caller
 * signs, waits and looks again.
 */
export async function makeByAge(lock: Lock): Promise<boolean> {
  let made = false
  const removal = {
    rmdir: (path: string, done: Done) => (made ? done(null) : removeIfOld(path, done)),
    rmdirSync: leaveInPlace,
  }
  try {
    const forget = await lockfile.lock(lock.file, { ...options(lock), fs: { ...fs, ...removal } })
    made = true
    await forget()
    return true
  } catch (error) {
    if (systemCode(error) === 'ELOCKED' || isGone(error)) return false
    throw error
  }
}

/** Whether the directory that was just made is missing: another process took it for the old one and removed it. */
function isGone(error: unknown): boolean {
  return systemCode(error) === 'ENOENT' && error instanceof Error && 'syscall' in error && error.syscall !== 'mkdir'
}

/**
 * Refreshes the time of a lock directory that we hold until the returned function is called; `onLost` when it was
 * taken from us.
 */
export async function keepFresh(lock: Lock, onLost: () => void): Promise<() => Promise<void>> {
  const adoption = {
    mkdir: (_path: string, done: (error: null) => void) => done(null),
    rmdir: (_path: string, done: (error: null) => void) => done(null),
    rmdirSync: leaveInPlace,
  }
  let isLost = false
  const forget = await lockfile.lock(lock.file, {
    ...options(lock),
    fs: { ...fs, ...adoption },
    onCompromised: () => {
      isLost = true
      onLost()
    },
  })
  return async () => {
    if (!isLost) await forget()
  }
}

/**
 * Looks again right before it removes: since the library looked, another process may have made a directory of its
 * own.
 */
function removeIfOld(path: string, done: Done): void {
  const stats = statAt(path)
  if (stats !== undefined && stats.mtimeMs > Date.now() - staleMs) {
    done(Object.assign(new Error(`${path} is held`), { code: 'ELOCKED' }))
    return
  }
  fs.rmdir(path, done)
}

function options(lock: Lock) {
  return { lockfilePath: lock.directory, realpath: false, retries: 0, stale: staleMs, update: refreshMs }
}

/**
 * At exit the library would remove the directory whoever holds it; ours is left to its note, by which the next one
 * inherits it.
 */
const leaveInPlace = () => undefined
