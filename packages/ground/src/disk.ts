import type { Dirent, Stats } from 'node:fs'
import { lstatAt, statAt } from './at-path.ts'
import { asLinkFailure, linkFailure } from './disk-answer.ts'
import { Failure, systemCode } from './failure.ts'
import {
  closeSync,
  constants,
  dirname,
  fstatSync,
  fsyncSync,
  join,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
} from './machine.ts'
import { readPlainFile } from './plain-file.ts'

const refusals = [
  'EACCES',
  'EDQUOT',
  'EEXIST',
  'EFBIG',
  'EIO',
  'EISDIR',
  'EMFILE',
  'ENAMETOOLONG',
  'ENFILE',
  'ENOENT',
  'ENOSPC',
  'ENOTDIR',
  'EPERM',
  'EROFS',
]

/**
 * Does what `purpose` says ("the store /a was to be made"); where the disk refuses, fails as `failed` with its answer,
 * as `conflict` where a link stands in a store.
 */
export function orRefused<T>(purpose: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw asRefusal(purpose, error)
  }
}

/** Like `orRefused`, for what takes its time. */
export async function orRefusedLater<T>(purpose: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    throw asRefusal(purpose, error)
  }
}

/** What `orRefused` fails with, for who has caught an error of the disk where it came. */
export function asRefusal(purpose: string, error: unknown): unknown {
  const code = systemCode(error)
  if (code === undefined || !refusals.includes(code)) return asLinkFailure(error)
  return new Failure('failed', `${purpose}, the disk answered ${code}`, { cause: error })
}

// A process of /proc that ends while its file is read answers ESRCH.
const absences = ['ENOENT', 'ENOTDIR', 'ESRCH']

function ifThere<T>(path: string, act: () => T, absent: readonly string[]): T | undefined {
  return orRefused(`${path} was to be read`, () => {
    try {
      return act()
    } catch (error) {
      if (absent.includes(systemCode(error) ?? '')) return undefined
      throw error
    }
  })
}

/** What lies at a path, or undefined when nothing does. Fails as `failed`, like all that read here, when that is hidden. */
export function statIfThere(path: string): Stats | undefined {
  return ifThere(path, () => statAt(path), absences)
}

/** The stats of what is at a path, of a link itself; undefined where nothing is. */
export function lstatIfThere(path: string): Stats | undefined {
  return ifThere(path, () => lstatAt(path), absences)
}

/** A pipe in a file's place would keep an ordinary open waiting for its writer, a device may have no end. */
function readWithoutWaiting(path: string): Buffer | undefined {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    return fstatSync(descriptor).isFile() ? readFileSync(descriptor) : undefined
  } finally {
    closeSync(descriptor)
  }
}

/**
 * The bytes of a file of a store, or undefined when there is none. A pipe, a device or a folder in its place has no
 * bytes, so that it is judged as a damaged file. Fails as `conflict` when it is a link.
 */
export function readStoredBytes(path: string): Buffer | undefined {
  return ifThere(path, () => readPlainFile(path) ?? Buffer.alloc(0), absences)
}

/** The text of a file of a store, or undefined when there is none. Fails as `conflict` when it is a link. */
export function readStored(path: string): string | undefined {
  return readStoredBytes(path)?.toString()
}

/** Where a path really leads; undefined when it leads nowhere, or where this user may not go. */
export function realPathIfThere(path: string): string | undefined {
  return ifThere(path, () => realpathSync.native(path), [...absences, 'EACCES', 'ELOOP'])
}

/** The text of a file outside of stores, which may be a link, or undefined when there is none. */
export function readIfThere(path: string): string | undefined {
  return ifThere(path, () => readWithoutWaiting(path), absences)?.toString()
}

/** What is in a folder; nothing when it is gone, which a walk may meet at any time. */
export function entriesIn(folder: string): Dirent[] {
  return ifThere(folder, () => readdirSync(folder, { withFileTypes: true }), absences) ?? []
}

/** What is in a folder and in those below it. */
export function* entriesBelow(folder: string): Generator<Dirent> {
  for (const entry of entriesIn(folder)) {
    yield entry
    if (entry.isDirectory()) yield* entriesBelow(join(folder, entry.name))
  }
}

/** Makes the names in a folder survive a power loss. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Makes a folder and those above it. The name of a new one is data of the folder above, which is synced, so that a
 * power cut leaves it.
 */
export function makeFolder(path: string): void {
  if (isFolder(path)) return
  makeFolder(dirname(path))
  // One at a time: asked for all of them, Node never returns where none can be made, as below /proc.
  try {
    mkdirSync(path)
  } catch (error) {
    if (!isFolder(path)) throw error
  }
  syncFolder(dirname(path))
}

function isFolder(path: string): boolean {
  return statAt(path)?.isDirectory() ?? false
}

/** A place in a store, given its folder. Fails as `conflict` where the folder is a link: it may lead to anything. */
export function folderIn(store: { path: string }, folder: string): string {
  let path = store.path
  for (const word of folder.split('/')) {
    path = join(path, word)
    // Below what is not there nothing can be a link.
    if (!isThereAndNoLink(path)) return join(store.path, folder)
  }
  return path
}

/** A file in a store, given its path there. Fails as `conflict` where a folder above it is a link; see `readStored`. */
export function fileIn(store: { path: string }, file: string): string {
  const cut = file.lastIndexOf('/')
  return join(folderIn(store, file.slice(0, cut)), file.slice(cut + 1))
}

/** Fails as `conflict` where a link stands. */
export function refuseLink(path: string): void {
  isThereAndNoLink(path)
}

function isThereAndNoLink(path: string): boolean {
  const stats = lstatIfThere(path)
  if (stats?.isSymbolicLink()) throw linkFailure(path)
  return stats !== undefined
}
