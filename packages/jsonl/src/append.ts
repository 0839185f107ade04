// How a line gets into a log without a lock and is never lost: one write with O_APPEND, read back, and written
// again when a torn line of somebody else has swallowed it.

import { syncFolder } from '@switchyard/ground/disk'
import { asLinkFailure, noLink } from '@switchyard/ground/disk-answer'
import { Failure, systemCode } from '@switchyard/ground/failure'
import {
  closeSync,
  constants,
  dirname,
  fdatasyncSync,
  fstatSync,
  openSync,
  readSync,
  writeSync,
} from '@switchyard/ground/machine'
import { readLeaving } from './dropped.ts'
import { findSealed, inodeAt } from './segments.ts'

/** Where a line lies: the inode of its file, the offset of its first byte, and its end just after its LF. In bytes. */
export type Position = { inode: number; offset: number; end: number }

/** `durable` (default true): the line survives a power loss, too, once the call has returned. */
export type AppendOptions = { durable?: boolean }

const writesMax = 8
const replacementsMax = 32
const lineFeed = 10
const flags = constants.O_RDWR | constants.O_APPEND | noLink
const diskFaults = ['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EROFS', 'EACCES', 'EPERM', 'EISDIR']

/**
 * Appends one line and returns where it lies; when this returns, the line is in the log, whole and once. Takes no
 * lock; any number of processes may append at once. Creates the file, not its folder (ENOENT). Failure `failed`
 * when the disk refuses, `usage` when the line is blank or contains a line feed, `conflict` when other programs
 * keep replacing the file, or a link is in its place.
 */
export function appendLine(path: string, line: string | Uint8Array, options: AppendOptions = {}): Position {
  const bytes = terminate(path, line)
  const { inode, offset } = appendBlock(path, bytes, { ...options, create: true })
  return { inode, offset, end: offset + bytes.length }
}

/** Appends lines as one write, verified whole: they stand next to each other. Otherwise like `appendLine`. */
export function appendLines(
  path: string,
  lines: readonly (string | Uint8Array)[],
  options: AppendOptions = {},
): Position[] {
  if (lines.length === 0) return []
  const parts = lines.map((line) => terminate(path, line))
  const { inode, offset } = appendBlock(path, Buffer.concat(parts), { ...options, create: true })
  let end = offset
  return parts.map((part) => {
    end += part.length
    return { inode, offset: end - part.length, end }
  })
}

/**
 * Appends to a file that exists already and never makes one; undefined when there is none. For the marker of a
 * sealed segment.
 */
export function appendToExisting(path: string, line: string): Position | undefined {
  const bytes = terminate(path, line)
  try {
    const { inode, offset } = appendBlock(path, bytes, { create: false })
    return { inode, offset, end: offset + bytes.length }
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}

type Landed = { inode: number; offset: number }

function terminate(path: string, line: string | Uint8Array): Buffer {
  const bytes = typeof line === 'string' ? Buffer.from(`${line}\n`) : Buffer.concat([line, Buffer.of(lineFeed)])
  if (bytes.indexOf(lineFeed) !== bytes.length - 1) {
    throw new Failure('usage', `one line was expected for ${path}, got several`, {
      hint: 'escape line feeds, as JSON does',
    })
  }
  if (bytes.every((byte) => byte === lineFeed || byte === 13 || byte === 32 || byte === 9)) {
    throw new Failure('usage', `a line was expected for ${path}, got a blank one`)
  }
  return bytes
}

function appendBlock(path: string, block: Buffer, options: AppendOptions & { create: boolean }): Landed {
  try {
    for (let attempt = 0; attempt < replacementsMax; attempt++) {
      const landed = appendOnce(path, block, options)
      if (landed !== undefined) return landed
    }
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined || !diskFaults.includes(code)) throw asLinkFailure(error)
    throw new Failure('failed', `${block.length} bytes were to be appended to ${path}, the disk answered ${code}`, {
      cause: error,
    })
  }
  throw new Failure('conflict', `${path} was replaced ${replacementsMax} times while a line was appended to it`, {
    hint: 'find the program that replaces the file; a log is only ever appended to',
  })
}

/** Undefined when the file written is no part of the log any more. */
function appendOnce(
  path: string,
  block: Buffer,
  { durable = true, create }: AppendOptions & { create: boolean },
): Landed | undefined {
  const fd = openSync(path, create ? flags | constants.O_CREAT : flags, 0o666)
  try {
    const stats = fstatSync(fd)
    const { ino, size } = stats
    if (!stats.isFile())
      throw new Failure('failed', `${block.length} bytes were to be appended to ${path}, it is no file`)
    const offset = writeUntilWhole(fd, path, block)
    if (durable) fdatasyncSync(fd)
    // The name of a new file is data of its folder.
    if (durable && size === 0) syncFolder(dirname(path))
    // While the file is open, no other can get its inode.
    return isInLog(path, ino) ? { inode: ino, offset } : undefined
  } finally {
    closeSync(fd)
  }
}

/** Writes until the block is found in the file, each of its lines whole; returns its offset. */
function writeUntilWhole(fd: number, path: string, block: Buffer): number {
  for (let attempt = 0; attempt < writesMax; attempt++) {
    const { size } = fstatSync(fd)
    const heal = attempt > 0 || (size > 0 && readBytes(fd, size - 1, 1)[0] !== lineFeed)
    writeOnce(fd, path, heal ? Buffer.concat([Buffer.of(lineFeed), block]) : block)
    const offset = findBlock(fd, size, block)
    if (offset !== undefined) return offset
  }
  throw new Failure('conflict', `a line was damaged ${writesMax} times while it was appended to ${path}`, {
    hint: 'find the program that writes there without ending its lines',
  })
}

/** One write call: a loop would let another writer's line fall between the parts. */
function writeOnce(fd: number, path: string, bytes: Buffer): void {
  const written = writeSync(fd, bytes)
  if (written === bytes.length) return
  endTornLine(fd)
  throw new Failure('failed', `${bytes.length} bytes were to be appended to ${path}, the disk took ${written}`, {
    hint: 'make room on the disk and try again',
  })
}

/** A courtesy to readers: the next writer would end the torn line as well. */
function endTornLine(fd: number): void {
  try {
    writeSync(fd, Buffer.of(lineFeed))
  } catch (error) {
    if (!diskFaults.includes(systemCode(error) ?? '')) throw error
  }
}

/**
 * Others may have written between the look at the size and the write, so the block is searched for, from the byte
 * before it on.
 */
function findBlock(fd: number, sizeBefore: number, block: Buffer): number | undefined {
  const from = Math.max(0, sizeBefore - 1)
  const back = readBytes(fd, from, fstatSync(fd).size - from)
  for (let at = back.indexOf(block); at !== -1; at = back.indexOf(block, at + 1)) {
    if (from + at === 0 || back[at - 1] === lineFeed) return from + at
  }
  return undefined
}

function readBytes(fd: number, offset: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(Math.max(0, length))
  let filled = 0
  while (filled < bytes.length) {
    const count = readSync(fd, bytes, filled, bytes.length - filled, offset + filled)
    if (count === 0) break
    filled += count
  }
  return bytes.subarray(0, filled)
}

/**
 * A file that was sealed while we wrote is still part of the log; one that another program replaced is not, and one
 * that is leaving may have been read for the last time. The note is read before the file is looked for, because it goes
 * after it.
 */
function isInLog(path: string, inode: number): boolean {
  if (inodeAt(path) === inode) return true
  const leaving = readLeaving(path) ?? ''
  const ulid = findSealed(path, inode)
  return ulid !== undefined && ulid > leaving
}
