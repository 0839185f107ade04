// Which blobs no message refers to any more, and how they go without taking one that is being posted.
import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { entriesIn, orRefusedLater, statIfThere } from '@switchyard/ground/disk'
import { ulid } from '@switchyard/ground/ulid'
import { readLines, transact } from '@switchyard/jsonl'
import { type BlobRef, blobPath, blobsFolder } from './blob.ts'
import { busExists, type Store, topicPath } from './store.ts'
import { listTopics } from './topics.ts'

/** What went, or would go: blobs, and bytes of them; drafts that killed writers left; and how many blobs stay. */
export type Collected = { removed: BlobRef[]; bytes: number; drafts: number; kept: number }

export type CollectOptions = {
  /** Milliseconds: what was written or posted again within them is left alone. At least an hour. */
  olderThanMs: number
  /** Milliseconds since 1970. */
  now: number
  dryRun: boolean
}

const hashPattern = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g

/**
 * Removes the blobs whose hash stands in no line of any topic, sealed or not, and drafts that were left behind; of both
 * only the old. A post may lie between its blob and its line meanwhile: what it wrote is young, and is put back if it
 * came under the hands of this. Fails as `lockTimeout` when another does the same.
 */
export async function collectBlobs(store: Store, options: CollectOptions): Promise<Collected> {
  if (!busExists(store)) return { removed: [], bytes: 0, drafts: 0, kept: 0 }
  return orRefusedLater(`unused files were to be removed from ${store.path}`, async () => {
    return options.dryRun ? collect(store, options) : transact(blobsFolder(store), () => collect(store, options))
  })
}

function collect(store: Store, options: CollectOptions): Collected {
  if (!options.dryRun) bringBack(store)
  const blobs = [...filesBelow(blobsFolder(store))].filter(({ name }) => /^[0-9a-f]{64}$/.test(name))
  const old = blobs.filter(({ path }) => isOld(path, options))
  const used = old.length === 0 ? new Set() : hashesIn(store)
  const removed = old
    .filter(({ name }) => !used.has(name))
    .map(({ name, path }) => ({ sha256: name, bytes: statIfThere(path)?.size ?? 0 }))
    .filter(({ sha256 }) => options.dryRun || removeBlob(store, sha256, options))
  return {
    removed,
    bytes: removed.reduce((sum, { bytes }) => sum + bytes, 0),
    drafts: removeDrafts(store, options),
    kept: blobs.length - removed.length,
  }
}

type File = { name: string; path: string }

function* filesBelow(folder: string): Generator<File> {
  for (const entry of entriesIn(folder)) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* filesBelow(path)
    else if (entry.isFile()) yield { name: entry.name, path }
  }
}

function isOld(path: string, { now, olderThanMs }: CollectOptions): boolean {
  const stats = statIfThere(path)
  return stats !== undefined && stats.mtimeMs < now - olderThanMs
}

/** Every hash that stands anywhere in a line: as a body, an attachment, or named in what somebody wrote. */
function hashesIn(store: Store): Set<string> {
  const hashes = new Set<string>()
  for (const topic of listTopics(store)) {
    for (const { text } of readLines(topicPath(store, topic)))
      for (const [hash] of text.matchAll(hashPattern)) hashes.add(hash)
  }
  return hashes
}

/**
 * Sets the blob aside and looks at its age again: nobody can replace it there, and readers find it there. Between a
 * look and a removal in place, a post could write it anew, and it would be that one which goes.
 */
function removeBlob(store: Store, sha256: string, options: CollectOptions): boolean {
  const path = blobPath(store, sha256)
  const aside = `${path}.${ulid(options.now)}.aside`
  renameSync(path, aside)
  if (!isOld(aside, options)) {
    renameSync(aside, path)
    return false
  }
  rmSync(aside)
  return true
}

/** What a run that was killed has set aside. */
function bringBack(store: Store): void {
  for (const { name, path } of filesBelow(blobsFolder(store))) {
    if (!name.endsWith('.aside')) continue
    const home = blobPath(store, name.slice(0, 64))
    if (statIfThere(home)) rmSync(path, { force: true })
    else renameSync(path, home)
  }
}

/** No topic's file ends in `.draft`: the whole store may be looked through. */
function removeDrafts(store: Store, options: CollectOptions): number {
  const drafts = [...filesBelow(store.path)].filter(({ name, path }) => name.endsWith('.draft') && isOld(path, options))
  if (!options.dryRun) for (const { path } of drafts) rmSync(path, { force: true })
  return drafts.length
}
