// Where compaction keeps what it drops: a folder that is laid out like a store, so that all tools read it as one.

import { makeFolder, realPathIfThere, refuseLink, statIfThere } from '@switchyard/ground/disk'
import { Failure } from '@switchyard/ground/failure'
import { dirname } from '@switchyard/ground/machine'
import { ulid } from '@switchyard/ground/ulid'
import { copyWhole } from '@switchyard/ground/whole-file'
import { parseRecord, readLines } from '@switchyard/jsonl'
import { blobPath, placeOfBlob } from './blob.ts'
import { isMessage } from './message.check.ts'
import type { Store } from './store.ts'
import { topicPath } from './store.ts'
import { orUnwritten } from './unwritten.ts'

/** The archive in a folder, given its path. */
export function archiveAt(store: Store, path: string): Store {
  return { ...store, path }
}

/**
 * Makes the folder in an archive that takes a topic's segments. Fails as `failed` when the disk refuses, as bad input
 * when the segments lie there already.
 */
export function archiveFolder(store: Store, archive: Store, topic: string): string {
  const folder = dirname(topicPath(archive, topic))
  orUnwritten(`the archive ${folder} was to be made`, () => makeFolder(folder))
  if (realPathIfThere(folder) !== realPathIfThere(dirname(topicPath(store, topic)))) return folder
  throw new Failure('usage', `expected an archive outside of ${store.path}, got the store itself`, {
    hint: 'give another folder',
  })
}

/** Copies to the archive the long bodies and attached files of a segment's messages that it does not have yet. */
export function archiveBlobs(store: Store, archive: Store, segment: string, now: number): void {
  for (const line of readLines(segment)) {
    const message = parseRecord(line)
    if (message === undefined || !isMessage(message)) continue
    for (const { sha256 } of message.blob ? [message.blob] : []) archiveBlob(store, archive, sha256, now)
    for (const { sha256 } of message.attachments ?? []) archiveBlob(store, archive, sha256, now)
  }
}

function archiveBlob(store: Store, archive: Store, sha256: string, now: number): void {
  const from = placeOfBlob(store, sha256)
  const to = blobPath(archive, sha256)
  const bytes = statIfThere(from)?.size
  // One that is missing has been lost before; `doctor` names it.
  if (bytes === undefined || bytes === statIfThere(to)?.size) return
  refuseLink(from)
  makeFolder(dirname(to))
  copyWhole(from, to, `${to}.${ulid(now)}.draft`)
}
