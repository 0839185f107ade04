// Who holds a lock: a note beside the lock directory that names the process so exactly that others can tell whether
// it still lives.

// The one look a library takes at the process: a lock belongs to a process, so its number cannot be handed in from
// outside.
import { exactStatAt, lstatAt, statAt } from '@switchyard/ground/at-path'
import { asLinkFailure, linkFailure } from '@switchyard/ground/disk-answer'
import { systemCode } from '@switchyard/ground/failure'
import {
  basename,
  dirname,
  join,
  linkSync,
  mkdirSync,
  pid,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  utimesSync,
} from '@switchyard/ground/machine'
import { readPlainFile, writePlainFile } from '@switchyard/ground/plain-file'
import { bootId, isPidInUse, pidNamespace, statOfProcess } from '@switchyard/ground/process-name'
import { parseRecord } from './parse.ts'

/**
 * The lock directory of a file and the note beside it (inside, it would stop proper-lockfile from removing the
 * directory).
 */
export type Lock = { file: string; directory: string; note: string }

/**
 * A lock that this process holds: `text` is its note, word for word, unique to this holding; `identity` is that of
 * the directory.
 */
export type Held = { lock: Lock; text: string; identity: string }

/** `unknown`: absent or unreadable note, one about another directory, or a holder in another namespace or boot. */
export type Holder = 'alive' | 'self' | 'dead' | 'unknown'

type Owner = { pid: number; startTime: string | null; pidNamespace: string | null; bootId: string | null }

/** A draft lives for less than a millisecond. */
const draftAgeMs = 60_000

let tokens = 0
let self: Owner | undefined

/** Paths of the lock of a file, given its canonical path. */
export function lockOf(file: string): Lock {
  return { file, directory: `${file}.lock`, note: `${file}.lock.owner` }
}

/** Takes the lock if nobody has it: one mkdir, which has one winner. Failure `conflict` where a link is in its place. */
export function takeFree(lock: Lock): Held | undefined {
  try {
    mkdirSync(lock.directory)
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error
    if (lstatAt(lock.directory)?.isSymbolicLink()) throw linkFailure(lock.directory)
    return undefined
  }
  return sign(lock)
}

/**
 * Writes this process into the note of a lock directory that it has just made; undefined when the directory is gone
 * already.
 */
export function sign(lock: Lock): Held | undefined {
  const identity = identityOf(lock)
  if (identity === undefined) return undefined
  const token = newToken()
  const text = `${JSON.stringify({ ...ownerSelf(), token, directory: identity })}\n`
  const draft = `${lock.note}.${token}`
  writePlainFile(draft, text)
  renameSync(draft, lock.note)
  return { lock, text, identity }
}

/** The note as it stands, or undefined. */
export function readNote(lock: Lock): string | undefined {
  try {
    return readPlainFile(lock.note)?.toString()
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw asLinkFailure(error)
  }
}

/** Whether the writer of a note still lives and still can be said to hold the lock. */
export function judgeHolder(lock: Lock, text: string | undefined): Holder {
  const note = text === undefined ? undefined : parseNote(text)
  if (note === undefined) return 'unknown'
  const me = ownerSelf()
  if (note.pidNamespace !== me.pidNamespace || note.bootId !== me.bootId) return 'unknown'
  const life = lifeOf(note)
  if (life === 'alive') return note.pid === me.pid ? 'self' : 'alive'
  // A dead process's note accuses the directory it was written for and no other.
  return life === 'dead' && note.directory !== '' && note.directory === identityOf(lock) ? 'dead' : 'unknown'
}

/**
 * Takes over the lock of the dead process that wrote `text`. Renaming the note has one winner; the directory is
 * inherited, never removed and remade, so there is no moment at which the lock is free. Undefined: another was
 * first.
 */
export function inherit(lock: Lock, text: string): Held | undefined {
  const taken = `${lock.note}.${newToken()}`
  try {
    renameSync(lock.note, taken)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
  if (readPlainFile(taken)?.toString() !== text) {
    putBack(taken, lock)
    return undefined
  }
  const now = new Date()
  utimesSync(lock.directory, now, now)
  const held = sign(lock)
  unlinkSync(taken)
  sweepDrafts(lock)
  return held
}

/** Removes drafts of notes that killed processes left; for those who have just got in by one of the rare ways. */
export function sweepDrafts(lock: Lock): void {
  const folder = dirname(lock.note)
  const drafts = readdirSync(folder).filter((name) => name.startsWith(`${basename(lock.note)}.`))
  for (const draft of drafts.map((name) => join(folder, name))) {
    const stats = statAt(draft)
    if (stats !== undefined && stats.mtimeMs < Date.now() - draftAgeMs) rmSync(draft, { force: true })
  }
}

/** Whether this holding is still the one that the note names. */
export function isHeld(held: Held): boolean {
  return readNote(held.lock) === held.text && identityOf(held.lock) === held.identity
}

/**
 * Gives a lock back; false, and nothing is touched, when it is no longer ours. The note goes first: left behind, it
 * would accuse the next holder's directory of belonging to us.
 */
export function release(held: Held): boolean {
  if (!isHeld(held)) return false
  try {
    unlinkSync(held.lock.note)
    rmdirSync(held.lock.directory)
    return true
  } catch (error) {
    // Taken since the look a moment ago.
    if (systemCode(error) !== 'ENOENT') throw error
    return false
  }
}

/** For messages: "process 4711", or what else is known of the holder. */
export function nameHolder(lock: Lock): string {
  const note = parseNote(readNote(lock) ?? '')
  return note === undefined ? 'an unknown process' : `process ${note.pid}`
}

/** We took the note of a live holder by mistake; while it is away others only wait. An even newer one stays. */
function putBack(taken: string, lock: Lock): void {
  try {
    linkSync(taken, lock.note)
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error
  }
  unlinkSync(taken)
}

/**
 * Inode and birth time: an inode number alone is soon used again. Empty on file systems without birth times: then
 * nothing is proved.
 */
function identityOf(lock: Lock): string | undefined {
  const stats = exactStatAt(lock.directory)
  if (stats === undefined) return undefined
  return stats.birthtimeNs === 0n ? '' : `${stats.ino}:${stats.birthtimeNs}`
}

function ownerSelf(): Owner {
  self ??= {
    pid,
    startTime: statOfProcess(pid)?.start ?? null,
    pidNamespace: pidNamespace() ?? null,
    bootId: bootId() || null,
  }
  return self
}

function lifeOf(note: Owner): 'alive' | 'dead' | 'unknown' {
  if (!isPidInUse(note.pid)) return 'dead'
  // Without /proc (macOS) a number that is in use has to count as its owner.
  if (note.startTime === null) return 'alive'
  const now = statOfProcess(note.pid)
  if (now === undefined) return isPidInUse(note.pid) ? 'unknown' : 'dead'
  // A zombie has a number still, but never runs again.
  return now.start === note.startTime && !now.isZombie ? 'alive' : 'dead'
}

function parseNote(text: string): (Owner & { directory: string }) | undefined {
  const note = parseRecord({ text })
  if (note === undefined) return undefined
  const { pid: processId, startTime, pidNamespace, bootId, directory } = note
  if (typeof processId !== 'number' || !Number.isSafeInteger(processId) || processId <= 0) return undefined
  if (typeof directory !== 'string' || !isTextOrNull(startTime)) return undefined
  if (!isTextOrNull(pidNamespace) || !isTextOrNull(bootId)) return undefined
  return { pid: processId, startTime, pidNamespace, bootId, directory }
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string'
}

/** Unique among processes (number and start time) and within this one. */
function newToken(): string {
  tokens += 1
  return `${pid}-${ownerSelf().startTime ?? Date.now()}-${tokens}`
}
