// The log of the original: one file with records of topics and of messages, in any order.

import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { statAt } from '@switchyard/ground/at-path'
import { Failure } from '@switchyard/ground/failure'
import { faultOf, parseRecord } from '@switchyard/jsonl'
import { openSource, piecesOfSource } from '../store/source-file.ts'
import type { SourceRecord } from './record.ts'

/** A line that could not be taken over. `line` counts from 1. */
export type Damage = { file: string; line: number; reason: string }

/** Where a record lies in the file, in bytes. */
export type RecordExtent = { offset: number; length: number }

/** What a file has: its topics by id, where its messages are, each with the id of its topic, and what is damaged. */
export type MigrateSource = {
  file: string
  topics: Map<string, SourceRecord>
  messages: (RecordExtent & { topicId: string | undefined })[]
  ids: Set<string>
  parents: string[]
  damaged: Damage[]
}

const lineFeed = 10
/** No text in this program can be longer. */
const lineBytesMax = 512 * 1024 * 1024
/** Places in a damaged line that are tried as the beginning of a record glued to it. */
const gluedMax = 1000

/** The log that a path means: itself, or the one in the folder or in its `.jwz` or `.zawinski`. */
export function findSource(path: string): string {
  const candidates = ['messages.jsonl', '.jwz/messages.jsonl', '.zawinski/messages.jsonl'].map((name) =>
    join(path, name),
  )
  const isFolder = statAt(path)?.isDirectory() ?? false
  const found = isFolder ? candidates.find((file) => existsSync(file)) : path
  if (found !== undefined && existsSync(found)) return found
  throw new Failure('notFound', `no messages.jsonl in ${path}`, {
    hint: existsSync(join(path, 'topics'))
      ? 'it is a store of this jwz; jwz export and jwz import carry its topics over'
      : 'name the store of the original, or its messages.jsonl',
  })
}

/** Looks through a log once, holding no more of it than where its messages are. */
export function readSource(file: string): MigrateSource {
  const source: MigrateSource = { file, topics: new Map(), messages: [], ids: new Set(), parents: [], damaged: [] }
  const descriptor = openSource(file)
  try {
    let number = 0
    for (const line of linesOf(piecesOfSource(file, descriptor))) {
      number += 1
      const reason = noteLine(source, line)
      if (reason !== undefined) source.damaged.push({ file, line: number, reason })
    }
  } finally {
    closeSync(descriptor)
  }
  return source
}

type SourceLine = RecordExtent & { bytes: Buffer }

/** Lines with their places; the last one also without its end. One that is too long comes without its bytes. */
function* linesOf(pieces: Iterable<Buffer>): Generator<SourceLine> {
  let parts: Buffer[] = []
  let offset = 0
  let length = 0
  const end = (): SourceLine => ({
    offset,
    length,
    bytes: length > lineBytesMax ? Buffer.alloc(0) : Buffer.concat(parts),
  })
  for (const piece of pieces) {
    let from = 0
    for (let at = piece.indexOf(lineFeed); at !== -1; at = piece.indexOf(lineFeed, from)) {
      if (length <= lineBytesMax) parts.push(piece.subarray(from, at))
      length += at - from
      yield end()
      offset += length + 1
      ;[parts, length, from] = [[], 0, at + 1]
    }
    if (length <= lineBytesMax) parts.push(piece.subarray(from))
    length += piece.length - from
  }
  if (length > 0) yield end()
}

/** Notes what a line has; the reason when it has nothing, or not all that was written. */
function noteLine(source: MigrateSource, { offset, length, bytes }: SourceLine): string | undefined {
  if (length > lineBytesMax) return `longer than ${lineBytesMax} bytes`
  const text = bytes.toString()
  if (text.trim() === '') return undefined
  if (!Buffer.from(text).equals(bytes)) return 'not UTF-8'
  const record = parseRecord({ text })
  if (record !== undefined) return noteRecord(source, record, { offset, length })
  const glued = findGlued(text)
  if (glued === undefined) return faultOf(text) ?? 'cut off'
  const start = Buffer.byteLength(text.slice(0, glued.at))
  const reason = noteRecord(source, glued.record, { offset: offset + start, length: length - start })
  return `cut off; ${reason ?? 'the record glued to it was taken over'}`
}

/** A whole record at the end of a line that begins with a torn one, as a writer leaves it who did not look. */
function findGlued(text: string): { record: SourceRecord; at: number } | undefined {
  let at = text.indexOf('{"', 1)
  for (let tries = 0; at !== -1 && tries < gluedMax; tries++, at = text.indexOf('{"', at + 1)) {
    const record = parseRecord({ text: text.slice(at) })
    if (record?.['type'] === 'topic' || record?.['type'] === 'message') return { record, at }
  }
  return undefined
}

function noteRecord(source: MigrateSource, record: SourceRecord, place: RecordExtent): string | undefined {
  const { type, id, name, topic_id, parent_id } = record
  if (type !== 'topic' && type !== 'message') return 'neither a topic nor a message'
  if (typeof id !== 'string' || id === '' || id.length > 128) return `a ${type} without an id`
  if (type === 'topic') {
    if (name === undefined) return 'a topic without a name'
    if (!source.topics.has(id)) source.topics.set(id, record)
    return undefined
  }
  if (typeof record['body'] !== 'string' && !Array.isArray(record['body'])) return 'a message without a body'
  source.messages.push({ ...place, topicId: typeof topic_id === 'string' ? topic_id : undefined })
  source.ids.add(id)
  if (typeof parent_id === 'string') source.parents.push(parent_id)
  return undefined
}

/** The records at these places, in their order. */
export function* recordsAt(file: string, places: readonly RecordExtent[]): Generator<SourceRecord> {
  const descriptor = openSync(file, 'r')
  try {
    for (const { offset, length } of places) {
      const bytes = Buffer.alloc(length)
      readSync(descriptor, bytes, 0, length, offset)
      const record = parseRecord({ text: bytes.toString() })
      if (record) yield record
    }
  } finally {
    closeSync(descriptor)
  }
}
