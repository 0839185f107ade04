// Which of a log's oldest segments no longer belong to it: the side file `<log>.dropped`, to which each drop appends a
// line before it removes anything. Which are about to be dropped: the note `<log>.leaving`.

import { readFromDisk, readOnly } from '@switchyard/ground/disk-answer'
import { closeSync, fstatSync, openSync, readSync } from '@switchyard/ground/machine'
import { readPlainFile } from '@switchyard/ground/plain-file'
import { parseRecord } from './parse.ts'

/**
 * The last drop of a log: segments whose ULID is `upTo` or before it are no part of it any more. `head` is the id of the
 * last record up to there that counts, or null: conditional records behind are judged from it on.
 */
export type Dropped = { upTo: string; head: string | null }

const tailBytes = 16_384

/** Path of the side file of the log at `path`. */
export function droppedPath(path: string): string {
  return `${path}.dropped`
}

/** Path of the note that names the newest segment about to leave the log at `path`. */
export function leavingPath(path: string): string {
  return `${path}.leaving`
}

/**
 * ULID up to which segments may be leaving the log at `path`: a line that is written there now may not be seen by who
 * drops them, and has to be written again.
 */
export function readLeaving(path: string): string | undefined {
  const note = leavingPath(path)
  return readFromDisk(note, () => readPlainFile(note))
    ?.toString()
    .trim()
}

/** What the last drop of the log at `path` says; undefined when nothing was ever dropped. Reads the end of a small file. */
export function readDropped(path: string): Dropped | undefined {
  const side = droppedPath(path)
  const fd = readFromDisk(side, () => openSync(side, readOnly))
  if (fd === undefined) return undefined
  try {
    const { size } = fstatSync(fd)
    return lastIn(tailOf(side, fd, size, tailBytes)) ?? lastIn(tailOf(side, fd, size, size))
  } finally {
    closeSync(fd)
  }
}

function tailOf(side: string, fd: number, size: number, length: number): string {
  const bytes = Buffer.alloc(Math.min(length, size))
  const count = readFromDisk(side, () => readSync(fd, bytes, 0, bytes.length, size - bytes.length)) ?? 0
  return bytes.toString('utf8', 0, count)
}

/** The last whole line that is such a record; a torn one was never acted upon. */
function lastIn(text: string): Dropped | undefined {
  const lines = text.split('\n').slice(0, -1)
  for (const line of lines.reverse()) {
    const { upTo, head } = parseRecord({ text: line }) ?? {}
    if (typeof upTo === 'string' && (typeof head === 'string' || head === null)) return { upTo, head }
  }
  return undefined
}
