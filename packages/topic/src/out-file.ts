// Files and folders that somebody names to be written: where they lie, and that they are written whole.
import { realpathSync, type Stats } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { statAt } from '@switchyard/ground/at-path'
import { makeFolder } from '@switchyard/ground/disk'
import { Failure } from '@switchyard/ground/failure'
import { ulid } from '@switchyard/ground/ulid'
import { replaceWhole } from '@switchyard/ground/whole-file'
import type { Store } from './store.ts'
import { orUnwritten } from './unwritten.ts'

/** Characters that are written at once. */
const chunkLength = 64 * 1024

function onDisk<T>(path: string, act: () => T): T {
  return orUnwritten(`${path} was to be written`, act)
}

function statOf(path: string): Stats | undefined {
  return onDisk(path, () => statAt(path))
}

/** Where a path that need not exist yet really leads. */
function realPathOf(path: string): string {
  const stats = statOf(path)
  if (stats?.isFile() || stats?.isDirectory()) return onDisk(path, () => realpathSync.native(path))
  // A device or a pipe, which may have no path: `-o >(wc)`.
  if (stats) return path
  const folder = dirname(path)
  return folder === path ? path : join(realPathOf(folder), path.slice(folder.length))
}

function requireOutside(store: Store, path: string, flag: string): void {
  const within = relative(realPathOf(store.path), path)
  if (within === '' || !within.startsWith('..')) {
    throw new Failure('usage', `${flag} names a place outside the store; got ${path}`, {
      hint: 'a log is only ever appended to',
    })
  }
}

/** A path that somebody named to be written to, as it really leads. Fails as bad input inside the store. */
export function outPath(store: Store, cwd: string, out: string, flag = '--out'): string {
  const path = realPathOf(resolve(cwd, out))
  requireOutside(store, path, flag)
  return path
}

/**
 * The file that `--out` names, for one document. Fails as bad input where a folder or a device is, and inside the store.
 */
export function outFile(store: Store, cwd: string, out: string): string {
  const path = outPath(store, cwd, out)
  const stats = statOf(path)
  if (out.endsWith('/') || (stats && !stats.isFile())) {
    throw new Failure(
      'usage',
      `--out names a file for one document; got ${stats?.isFile() === false && !stats.isDirectory() ? 'no file' : 'a folder'}, ${out}`,
      {
        hint: 'add the name of a file',
      },
    )
  }
  return path
}

/** The folder that `--out` names, for several documents. Fails as bad input where a file is, and inside the store. */
export function outFolder(store: Store, cwd: string, out: string): string {
  const path = outPath(store, cwd, out)
  if (statOf(path)?.isDirectory() === false) {
    throw new Failure('usage', `--out names a folder for several documents; got a file, ${out}`)
  }
  return path
}

/** Pieces joined to what is worth a write. */
export function* chunksOf(pieces: Iterable<string>): Generator<string> {
  let chunk = ''
  for (const piece of pieces) {
    chunk += piece
    if (chunk.length < chunkLength) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}

/**
 * Writes a file that others see whole or not at all, and makes its folder. What was there stays when writing fails.
 * `now` is milliseconds since 1970.
 */
export function writeOut(path: string, pieces: Iterable<string>, now: number): void {
  writeBytesOut(path, bytesOf(pieces), now)
}

/** Does the same with bytes, and returns how many there were. */
export function writeBytesOut(path: string, pieces: Iterable<Uint8Array>, now: number): number {
  return onDisk(path, () => {
    makeFolder(dirname(path))
    return replaceWhole(path, `${path}.${ulid(now)}.draft`, pieces)
  })
}

function* bytesOf(pieces: Iterable<string>): Generator<Buffer> {
  for (const chunk of chunksOf(pieces)) yield Buffer.from(chunk)
}
