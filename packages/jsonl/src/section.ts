// Exclusive sections: one process at a time does something to a file. The ordinary way in is synchronous and loads
// nothing.

import { Failure, systemCode } from '@switchyard/ground/failure'
import { basename, dirname, hrtime, join, realpathSync } from '@switchyard/ground/machine'
import {
  type Held,
  type Holder,
  inherit,
  isHeld,
  judgeHolder,
  type Lock,
  lockOf,
  nameHolder,
  readNote,
  release,
  sign,
  sweepDrafts,
  takeFree,
} from './owner-note.ts'

/**
 * `deadlineMs` (default 10 000): how long one holder is waited for before Failure `lockTimeout`. Where the lock goes
 * from hand to hand the wait is worth it, for up to six times as long.
 */
export type SectionOptions = { deadlineMs?: number }

const deadlineMsDefault = 10_000
/** A crowd that gets on is waited for so many times as long as a holder who does not. */
const patience = 6
/** So long the wait blocks the process; after that its timers and signals get their turn. */
const blockingMs = 100
/** A holder is between mkdir and its note for less than this. */
const graceMs = 250
/** Longer than the library needs from finding an old directory to making its own. */
const settleMs = 50

/** A clock that nobody sets. Not `performance`, whose first use loads for two milliseconds. */
function monotonicMs(): number {
  const [seconds, nanoseconds] = hrtime()
  return seconds * 1000 + nanoseconds / 1e6
}

/**
 * Runs `body` while no other process is inside a section on the same file, and returns what it returns. The lock is
 * the directory `<path>.lock`; a killed holder's is inherited at once. Failure `lockTimeout` names the holder;
 * `conflict` says that the lock was lost while `body` ran. `body` has to be short and synchronous; see `holdLock`
 * for the others.
 */
export async function transact<T>(path: string, body: () => T, options: SectionOptions = {}): Promise<T> {
  const held = enterNow(path, options) ?? (await enterLater(path, options))
  let result: T
  try {
    result = body()
  } catch (error) {
    release(held)
    throw error
  }
  if (!release(held)) throw lostFailure(path)
  return result
}

/**
 * Like `transact` for a body that takes its time. `lost` is aborted when the lock was taken away, which happens
 * when this process stood still for seconds; the section then ends in Failure `conflict`.
 */
export async function holdLock<T>(
  path: string,
  body: (lost: AbortSignal) => Promise<T>,
  options: SectionOptions = {},
): Promise<T> {
  const held = enterNow(path, options) ?? (await enterLater(path, options))
  const loss = new AbortController()
  let stop: (() => Promise<void>) | undefined
  let result: T
  try {
    const { keepFresh } = await import('./library-lock.ts')
    stop = await keepFresh(held.lock, () => loss.abort(lostFailure(path)))
    result = await body(loss.signal)
  } catch (error) {
    await stop?.()
    release(held)
    throw error
  }
  await stop()
  if (!release(held)) throw lostFailure(path)
  return result
}

function enterNow(path: string, { deadlineMs = deadlineMsDefault }: SectionOptions): Held | undefined {
  const lock = lockOf(canonical(path))
  const until = monotonicMs() + Math.min(blockingMs, deadlineMs)
  for (;;) {
    const attempt = tryEnter(lock)
    if (typeof attempt !== 'string') return attempt
    if (attempt === 'self' || monotonicMs() >= until) return undefined
    sleep(waitMs())
  }
}

async function enterLater(path: string, { deadlineMs = deadlineMsDefault }: SectionOptions): Promise<Held> {
  const lock = lockOf(canonical(path))
  const last = monotonicMs() + patience * deadlineMs
  let deadline = monotonicMs() + deadlineMs
  let holder = readNote(lock)
  let unknownSince = Number.POSITIVE_INFINITY
  for (;;) {
    const attempt = tryEnter(lock)
    if (typeof attempt !== 'string') return attempt
    unknownSince = attempt === 'unknown' ? Math.min(unknownSince, monotonicMs()) : Number.POSITIVE_INFINITY
    if (monotonicMs() >= unknownSince + graceMs) {
      const held = await takeByAge(lock)
      if (held !== undefined) return held
      await pause(settleMs)
    }
    const next = readNote(lock)
    // No note, or the same one: nobody else has had a turn for all that can be seen.
    if (next !== undefined && next !== holder) {
      holder = next
      deadline = Math.min(last, monotonicMs() + deadlineMs)
    }
    if (monotonicMs() >= deadline) throw timeoutFailure(lock, deadlineMs)
    await pause(waitMs())
  }
}

/** One attempt: the lock, or what is known of who has it. */
function tryEnter(lock: Lock): Held | Holder {
  const free = takeFree(lock)
  if (free !== undefined) return free
  const note = readNote(lock)
  const holder = judgeHolder(lock, note)
  if (holder !== 'dead' || note === undefined) return holder
  return inherit(lock, note) ?? 'alive'
}

/**
 * The way in when the note proves nothing. Of several who come this way at once, only the last to have signed is
 * still signed a moment later.
 */
async function takeByAge(lock: Lock): Promise<Held | undefined> {
  const { makeByAge } = await import('./library-lock.ts')
  if (!(await makeByAge(lock))) return undefined
  sweepDrafts(lock)
  const held = sign(lock)
  await pause(settleMs)
  return held !== undefined && isHeld(held) ? held : undefined
}

function timeoutFailure(lock: Lock, deadlineMs: number): Failure {
  const holder = nameHolder(lock)
  return new Failure(
    'lockTimeout',
    `the lock of ${lock.file} was expected within ${deadlineMs} ms, ${holder} holds it`,
    {
      hint: `try again; if ${holder} hangs, end it`,
    },
  )
}

function lostFailure(path: string): Failure {
  return new Failure(
    'conflict',
    `the lock of ${path} was expected to last to the end of the section, another process took it`,
    {
      hint: 'look at what the section left behind, then try again',
    },
  )
}

/** One file, one lock, however it is reached; the file itself need not exist yet. */
function canonical(path: string): string {
  try {
    return realpathSync.native(path)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
    return join(realpathSync.native(dirname(path)), basename(path))
  }
}

/** 1 to 7 ms, at random, so that those who wait do not come in step. */
function waitMs(): number {
  return 1 + Math.random() * 6
}

function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}
