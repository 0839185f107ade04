// What a reader finds in `.tissue/cache`: the open issues up to a mark in the log. Derived, and deleted at any time.

import { folderIn } from '@switchyard/ground/disk'
import { dirname, join } from '@switchyard/ground/machine'
import { openCacheFile } from '../cache-file/file.ts'
import type { Ledger } from '../log/fold.ts'
import type { Mark } from './mark.ts'
import { ledgerOf, type Snapshot } from './snapshot.ts'

/** Digest of the sources that this program was built from; there is none when they run as they are. */
declare const SWITCHYARD_SOURCES: string | undefined

/** The head of a cache file. */
export type Head = {
  /** Only the program that folded the log knows what its fold means. */
  readonly sources: string
  readonly mark: Mark
  readonly damaged: number
  readonly snapshot: Snapshot
}

/** What was folded before: the open issues up to the mark, and how many damaged lines stood before it. */
export type Cached = { ledger: Ledger; damaged: number; mark: Mark; readonly headLength: number }

/** The folder of the cache of a log. Exits 5 where a link is. */
export function cacheFolder(log: string): string {
  return folderIn({ path: dirname(log) }, 'cache')
}

/** The only file in it that counts. */
export function cachePath(log: string): string {
  return join(cacheFolder(log), 'open-issues')
}

/** What is in the cache of a log; undefined when there is none, or one of another version of this program. */
export function readCache(log: string): Cached | undefined {
  const file = openCacheFile(cachePath(log))
  const head = file && parseHead(file.head)
  if (!head || head.sources !== sources()) return undefined
  const { mark, damaged, snapshot } = head
  return { ledger: ledgerOf(snapshot, file.read), damaged, mark, headLength: file.head.length }
}

/** What tells caches of this program from those of another. */
export function sources(): string {
  return typeof SWITCHYARD_SOURCES === 'undefined' ? '' : SWITCHYARD_SOURCES
}

function parseHead(text: string): Head | undefined {
  try {
    const head: Head = JSON.parse(text)
    return head
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
