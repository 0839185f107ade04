// Which files make up a log: sealed segments `t.<ulid>.jsonl` in name order, then the active file `t.jsonl`.

import { statAt } from '@switchyard/ground/at-path'
import { readFromDisk, readOnly } from '@switchyard/ground/disk-answer'
import { Failure } from '@switchyard/ground/failure'
import {
  basename,
  closeSync,
  dirname,
  extname,
  fstatSync,
  join,
  openSync,
  readdirSync,
  readSync,
} from '@switchyard/ground/machine'
import { readDropped } from './dropped.ts'

/** A file of the log, open for reading. `size` is what it had when it was opened (bytes),
 * `changedMs` when its content last changed; `ulid` names a sealed one. */
export type Segment = {
  path: string
  ulid: string | undefined
  inode: number
  size: number
  changedMs: number
  fd: number
}

// Upper case only: a topic's own name is lower case, so no topic is ever taken for a segment of another.
const ulidPattern = /^[0-9A-HJKMNP-TV-Z]{26}$/
const markerPattern = /^\{"type":"sealed","v":1,"id":"[0-9A-HJKMNP-TV-Z]{26}"\}$/

/** Whether a text can name a sealed segment: 26 characters of Crockford's alphabet, upper case. */
export function isSegmentUlid(text: string): boolean {
  return ulidPattern.test(text)
}

/** Path of the segment that sealing the log at `path` under `ulid` makes. */
export function sealedPath(path: string, ulid: string): string {
  const extension = extname(path)
  return join(dirname(path), `${basename(path, extension)}.${ulid}${extension}`)
}

/**
 * The line that ends the part of a sealed segment in which conditional records count. Its id is the segment's own,
 * unknown before.
 */
export function sealMarker(ulid: string): string {
  return `{"type":"sealed","v":1,"id":"${ulid}"}`
}

/** Whether a line is such a marker, of whichever segment: readers hide it. */
export function isSealMarker(text: string): boolean {
  return markerPattern.test(text)
}

/**
 * ULIDs of the sealed segments of the log at `path`, oldest first, without those that were dropped; none when the folder
 * does not exist.
 */
export function sealedUlids(path: string): string[] {
  const dropped = readDropped(path)
  const ulids = sealedFiles(path)
  return dropped === undefined ? ulids : ulids.filter((ulid) => ulid > dropped.upTo)
}

/** ULIDs of the sealed segments whose files are there, dropped or not, oldest first. */
export function sealedFiles(path: string): string[] {
  const extension = extname(path)
  const prefix = `${basename(path, extension)}.`
  return namesIn(dirname(path))
    .filter((name) => name.startsWith(prefix) && name.endsWith(extension))
    .map((name) => name.slice(prefix.length, name.length - extension.length))
    .filter(isSegmentUlid)
    .sort()
}

/**
 * Paths of the files that make up the log at `path`: sealed segments, oldest first, then the active file if it
 * exists.
 */
export function segmentsOf(path: string): string[] {
  const active = inodeAt(path) === undefined ? [] : [path]
  return [...sealedUlids(path).map((ulid) => sealedPath(path, ulid)), ...active]
}

/** Whether the log at `path` has any file; where its active file is there, the folder is not listed. */
export function logExists(path: string): boolean {
  return inodeAt(path) !== undefined || sealedUlids(path).length > 0
}

/** Inode of the file at `path`, or undefined when there is none. */
export function inodeAt(path: string): number | undefined {
  return readFromDisk(path, () => statAt(path))?.ino
}

/** ULID of the sealed segment that has this inode. Newest first, because that is where a late writer's line lands. */
export function findSealed(path: string, inode: number): string | undefined {
  return sealedUlids(path)
    .reverse()
    .find((ulid) => inodeAt(sealedPath(path, ulid)) === inode)
}

/**
 * Opens one file of a log, or undefined when it does not exist (dropped, or not yet written). The caller closes it.
 * Failure `failed` when it may not be read or is no file.
 */
export function openSegment(path: string, ulid?: string): Segment | undefined {
  const fd = readFromDisk(path, () => openSync(path, readOnly))
  if (fd === undefined) return undefined
  const stats = fstatSync(fd)
  if (stats.isFile()) return { path, ulid, inode: stats.ino, size: stats.size, changedMs: stats.mtimeMs, fd }
  closeSync(fd)
  throw new Failure('failed', `${path} was to be read, it is no file`)
}

/** Fills `bytes` from place `at` on with what the file has from `offset` on; how many bytes there were. */
export function readInto({ path, fd }: Segment, bytes: Buffer, at: number, offset: number): number {
  return readFromDisk(path, () => readSync(fd, bytes, at, bytes.length - at, offset)) ?? 0
}

/**
 * Opens the files of a log one after the other, oldest first, and closes each when the consumer moves on. The
 * active file is opened before the folder is listed: sealed in between, it is met under its new name, and no file
 * can slip through between the two.
 */
export function* openSegments(path: string): Generator<Segment> {
  const active = openSegment(path)
  let activeWasSealed = false
  try {
    for (const ulid of sealedUlids(path)) {
      const sealed = openSegment(sealedPath(path, ulid), ulid)
      if (sealed === undefined) continue
      activeWasSealed ||= sealed.inode === active?.inode
      try {
        yield sealed
      } finally {
        closeSync(sealed.fd)
      }
    }
    if (active !== undefined && !activeWasSealed) yield active
  } finally {
    if (active !== undefined) closeSync(active.fd)
  }
}

function namesIn(folder: string): string[] {
  return readFromDisk(folder, () => readdirSync(folder)) ?? []
}
