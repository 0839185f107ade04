// Retention of a topic: its active file is sealed, its oldest segments are dropped; nothing is ever cut out of a file.

import { orRefusedLater } from '@switchyard/ground/disk'
import { ulid } from '@switchyard/ground/ulid'
import {
  dropSegments,
  type Extent,
  findDroppable,
  isDropUnfinished,
  parseRecord,
  type Retention,
  type Survey,
  seal,
  segmentsOf,
  surveyFile,
} from '@switchyard/jsonl'
import { archiveAt, archiveBlobs, archiveFolder } from './archive.ts'
import { isMessage } from './message.check.ts'
import { isExpired } from './message.ts'
import type { Store } from './store.ts'
import { topicPath } from './store.ts'

export type CompactOptions = {
  /** Milliseconds since 1970. */
  now: number
  /** What was said before this moment may go; without it only what has expired. */
  before?: number | undefined
  /** An active file of more bytes is sealed, however young it is. */
  sealAboveBytes: number
  /** Folder, laid out like a store, to which segments and their blobs are copied before they are dropped. */
  archive?: string | undefined
  /** Who has not read a file of the topic, given its path; it stays for their sake. */
  unreadBy: (file: string) => readonly string[]
  /** It does not stay. */
  force: boolean
  /** Change nothing, only say what would be done. */
  dryRun: boolean
}

/** What was done to a topic, or would be. `unread_by` names who has not read what was dropped, or stayed for that. */
export type Compacted = {
  topic: string
  sealed: Extent | null
  dropped: ({ segments: number } & Extent) | null
  unread_by: string[]
}

/**
 * Seals the active file of a topic when it is large or nothing in it is to be kept, and drops its oldest segments in
 * which nothing is. Writers and readers need not stop. Fails with `lockTimeout` when another process compacts the topic
 * all the while, and as `failed` when the disk refuses.
 */
export async function compactTopic(store: Store, topic: string, options: CompactOptions): Promise<Compacted> {
  const path = topicPath(store, topic)
  const retention = retentionOf(options)
  const { sealed, leaving, unreadBy } = planOf(path, retention, options)
  const planned: Compacted = { topic, sealed, dropped: sumOf(leaving), unread_by: unreadBy }
  if (options.dryRun) return planned
  return orRefusedLater(`${topic} was to be compacted`, async () => {
    const wasSealed = sealed !== null && (await seal(path, ulid(options.now))) !== undefined
    const archive = options.archive === undefined ? undefined : archiveAt(store, options.archive)
    const folder = archive && leaving.length > 0 ? archiveFolder(store, archive, topic) : undefined
    const beforeArchive = (file: string) => archive && archiveBlobs(store, archive, file, options.now)
    const isNeeded = leaving.length > 0 || isDropUnfinished(path)
    const unread = options.force && unreadBy.length > 0 ? { unread_by: unreadBy } : {}
    const drop = {
      id: ulid(options.now),
      at: options.now,
      ...unread,
      ...(folder === undefined ? {} : { archive: folder }),
    }
    const record = isNeeded ? await dropSegments(path, { ...retention, beforeArchive }, drop) : undefined
    const dropped = record && { segments: record.segments, messages: record.messages, bytes: record.bytes }
    return { ...planned, sealed: wasSealed ? sealed : null, dropped: dropped ?? null }
  })
}

function retentionOf({ now, before, unreadBy, force }: CompactOptions): Retention {
  return {
    isKept: (line) => {
      const record = parseRecord(line)
      if (record === undefined) return false
      if (isMessage(record) && isExpired(record, now)) return false
      const { at } = record
      // What is no message and has no time of its own goes with the messages around it.
      return before === undefined || (typeof at === 'number' && at >= before)
    },
    isCounted: (line) => isMessage(parseRecord(line) ?? {}),
    isHeld: (file) => !force && unreadBy(file).length > 0,
    takesPart: isMessage,
  }
}

type Plan = { sealed: Extent | null; leaving: readonly Survey[]; unreadBy: string[] }

function planOf(path: string, retention: Retention, { sealAboveBytes, unreadBy }: CompactOptions): Plan {
  const free: Survey[] = findDroppable(path, { ...retention, isHeld: () => false })
  const active = surveyFile(path, undefined, retention)
  const isSealed = active !== undefined && active.bytes > 0 && (active.bytes > sealAboveBytes || !active.isKept)
  if (isSealed && !active.isKept && free.length === segmentsOf(path).length - 1) free.push(active)
  const held = free.findIndex(({ file }) => retention.isHeld(file))
  return {
    sealed: isSealed ? wholeExtent(path, retention) : null,
    leaving: held === -1 ? free : free.slice(0, held),
    unreadBy: [...new Set(free.flatMap(({ file }) => unreadBy(file)))].sort(),
  }
}

/** All there is in the active file, also behind what is kept. */
function wholeExtent(path: string, retention: Retention): Extent | null {
  const survey = surveyFile(path, undefined, { ...retention, isKept: () => false })
  return survey === undefined ? null : { messages: survey.messages, bytes: survey.bytes }
}

function sumOf(surveys: readonly (Survey | undefined)[]): ({ segments: number } & Extent) | null {
  const present = surveys.filter((survey) => survey !== undefined)
  if (present.length === 0) return null
  const sum = (of: keyof Extent) => present.reduce((total, survey) => total + survey[of], 0)
  return { segments: present.length, messages: sum('messages'), bytes: sum('bytes') }
}
