import { createHash } from 'node:crypto'
import { dirname } from 'node:path'
import { makeFolder, orRefused } from '@switchyard/ground/disk'
import { isPlainObject } from '@switchyard/ground/plain-object'
import { appendLines, type LogPlace, parseRecord, readLines, transact } from '@switchyard/jsonl'
import { keepBlob, writeBlob } from './blob.ts'
import { findBlobFault, refOf } from './blob-file.ts'
import { isMessage } from './message.check.ts'
import type { Message } from './message-schema.ts'
import { isTooLong, requireRoom, requireShort, toLine } from './post.ts'
import { createBus, type Store, topicPath } from './store.ts'

/** A record from elsewhere: a message with its whole body in it, or a record of another kind. */
export type Foreign = { id: string; [field: string]: unknown }

/**
 * Ids by what became of them: `added` to the topic, `present` there before with the same content, `differing`: present
 * with other content, which stays as it was.
 */
export type Imported = { added: string[]; present: string[]; differing: string[] }

/** Characters that go into the log with one write, and are held in memory. */
const batchLengthMax = 4 * 1024 * 1024

/**
 * Adds records to a topic as a union by id: whoever imports twice, or a half and then the whole, has each of them once.
 * Ids and times are kept and bodies too long for a line move to blobs. `blob` and `expect` are left out: the body is
 * whole, and a condition was judged where the record comes from. The records are taken as they are needed, and written
 * about 4 MB at a time, each time in an exclusive section. `now` is milliseconds since 1970. Fails like `postMessage`,
 * and as `lockTimeout`.
 */
export async function importMessages(
  store: Store,
  topic: string,
  records: Iterable<Foreign>,
  now: number,
): Promise<Imported> {
  return openImport(store, topic)(records, now)
}

/**
 * `importMessages` for who imports into a topic again and again: what the topic has is read at the first call, and
 * only what is new at the later ones. One call at a time.
 */
export function openImport(
  store: Store,
  topic: string,
): (records: Iterable<Foreign>, now: number) => Promise<Imported> {
  const path = topicPath(store, topic)
  let known = knownOf(path)
  return async (records, now) => {
    try {
      return await importInto(store, topic, known, records, now)
    } catch (error) {
      // It may know of records that did not get into the log.
      known = knownOf(path)
      throw error
    }
  }
}

async function importInto(
  store: Store,
  topic: string,
  known: ReturnType<typeof knownOf>,
  records: Iterable<Foreign>,
  now: number,
): Promise<Imported> {
  const path = topicPath(store, topic)
  const imported: Imported = { added: [], present: [], differing: [] }
  known.learn()
  for (const batch of batchesOf(records)) {
    createBus(store)
    orRefused(`the topic ${topic} was to be made`, () => makeFolder(dirname(path)))
    const unknown = batch.filter(({ id }) => !known.contents.has(id))
    const { lines, spilled } = await linesOf(store, topic, unknown, now)
    const present: Foreign[] = []
    await transact(path, () => {
      known.learn()
      const added: string[] = []
      for (const record of batch) {
        const line = known.contents.has(record.id) ? undefined : lines.get(record.id)
        const verdict = line === undefined ? known.compare(record) : 'added'
        imported[verdict].push(record.id)
        if (verdict === 'present') present.push(record)
        if (line === undefined) continue
        added.push(line)
        known.add(record)
      }
      orRefused(`messages were to be imported into ${topic}`, () => appendLines(path, added))
    })
    for (const message of spilled) await keepBlob(store, path, message, now)
    for (const record of present) await restoreBody(store, record, now)
  }
  return imported
}

/** Brings back the long body of a message that is here without it, or with other bytes in its place. */
async function restoreBody(store: Store, record: Foreign, now: number): Promise<void> {
  if (!isMessage(record) || !isTooLong(JSON.stringify(record))) return
  const bytes = Buffer.from(record.body)
  if (findBlobFault(store, refOf(bytes)) !== undefined) await writeBlob(store, bytes, now)
}

/** What `importMessages` would make of the records; writes nothing. */
export function compareMessages(store: Store, topic: string, records: Iterable<Foreign>): Imported {
  const imported: Imported = { added: [], present: [], differing: [] }
  const known = knownOf(topicPath(store, topic))
  known.learn()
  for (const record of records) {
    const verdict = known.contents.has(record.id) ? known.compare(record) : 'added'
    imported[verdict].push(record.id)
    known.add(record)
  }
  return imported
}

/** Fails as bad input, as `importMessages` would, when a record could not be kept in a topic. */
export function requireImportable(record: Foreign): void {
  if (isMessage(record)) requireRoom(record)
  else requireShort(JSON.stringify(record))
}

/** What a topic's log has: ids, each with a hash of what it first names. */
function knownOf(path: string) {
  const contents = new Map<string, number>()
  let upTo: LogPlace | undefined
  const add = (record: Foreign) => {
    if (!contents.has(record.id)) contents.set(record.id, contentOf(record))
  }
  const compare = (record: Foreign) => (contents.get(record.id) === contentOf(record) ? 'present' : 'differing')
  /** Reads what has come since the last time; also records that readers leave out, because their ids are taken. */
  const learn = () => {
    for (const line of readLines(path, upTo)) {
      upTo = { inode: line.inode, offset: line.end }
      const record = parseRecord(line)
      if (typeof record?.['id'] === 'string') add({ ...record, id: record['id'] })
    }
  }
  return { contents, add, compare, learn }
}

function* batchesOf(records: Iterable<Foreign>): Generator<Foreign[]> {
  let batch: Foreign[] = []
  let length = 0
  for (const record of records) {
    batch.push(record)
    length += lengthOf(record)
    if (length < batchLengthMax) continue
    yield batch
    batch = []
    length = 0
  }
  if (batch.length > 0) yield batch
}

/** About the length of its line; exact would cost writing it. */
function lengthOf({ body }: Foreign): number {
  return 200 + (typeof body === 'string' ? body.length : 0)
}

/** The lines of records by their ids, and the messages whose long bodies are in blobs by then. */
async function linesOf(
  store: Store,
  topic: string,
  records: readonly Foreign[],
  now: number,
): Promise<{ lines: Map<string, string>; spilled: Message[] }> {
  const lines = new Map<string, string>()
  const spilled: Message[] = []
  for (const { blob, expect, ...given } of records) {
    if (lines.has(given.id)) continue
    const record = { ...given, topic }
    if (!isMessage(record)) {
      lines.set(given.id, requireShort(JSON.stringify(record)))
      continue
    }
    const { message, line } = await toLine(store, record, now)
    lines.set(given.id, line)
    if (message.blob) spilled.push(message)
  }
  return { lines, spilled }
}

/**
 * Tells records apart, however their fields are ordered and wherever a body lies. 48 bits of a hash: one is
 * kept for each id, and it is only ever compared with that of the same id.
 */
function contentOf({ topic, expect, blob, body, ...fields }: Foreign): number {
  const whole = isPlainObject(blob) ? blob['sha256'] : typeof body === 'string' ? sha256(body).toString('hex') : body
  return sha256(JSON.stringify(sorted({ ...fields, body: whole }))).readUIntBE(0, 6)
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isPlainObject(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  )
}
