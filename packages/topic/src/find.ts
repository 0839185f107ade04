// Finding messages by id: by the bytes of the id, parsing only the lines that have them.

import { isUlid, timeOfUlid } from '@switchyard/ground/ulid'
import {
  findLinesBackwards,
  findLinesBefore,
  findLinesNear,
  type Line,
  parseRecord,
  repeatBytesMax,
} from '@switchyard/jsonl'
import { isMessage } from './message.check.ts'
import { type Entry, judgeOf } from './read.ts'
import type { Store } from './store.ts'
import { topicPath } from './store.ts'

/** `voidToo`: also a message that was conditional and does not count. */
type FindOptions = { voidToo?: boolean }

/** The message of a topic that has exactly this id; of a ULID only the part of the log from its time is read. */
export function findById(store: Store, topic: string, id: string, options: FindOptions = {}): Entry | undefined {
  const path = topicPath(store, topic)
  const needle = Buffer.from(JSON.stringify(id))
  const read = entryReader(path, options)
  const lines = isUlid(id) ? findLinesNear(path, needle, isBefore(timeOfUlid(id))) : findLinesBackwards(path, [needle])
  for (const line of lines) {
    const entry = read(line)
    if (entry?.message.id === id) return firstOf(path, entry, read)
  }
  return undefined
}

/**
 * The messages of a topic whose id begins or ends with `part`, in capitals or not, newest first: all of them, or
 * `enough`; only the one whose id it is, if there is one.
 */
export function findByPart(
  store: Store,
  topic: string,
  part: string,
  { enough, ...options }: FindOptions & { enough: number },
): Entry[] {
  const path = topicPath(store, topic)
  const read = entryReader(path, options)
  const found = new Map<string, Entry>()
  for (const line of findLinesBackwards(path, needlesOf(part))) {
    const entry = read(line)
    if (!entry || !isNamedBy(entry.message.id, part)) continue
    if (entry.message.id === part) return [firstOf(path, entry, read)]
    found.set(entry.message.id, entry)
    if (found.size < enough) continue
    const exact = findById(store, topic, part, options)
    return exact ? [exact] : [...found.values()]
  }
  return [...found.values()]
}

function isNamedBy(id: string, part: string): boolean {
  const [whole, piece] = [id.toUpperCase(), part.toUpperCase()]
  return whole.startsWith(piece) || whole.endsWith(piece)
}

function needlesOf(part: string): Buffer[] {
  const spellings = new Set([part, part.toUpperCase(), part.toLowerCase()])
  return [...spellings].map((spelling) => Buffer.from(JSON.stringify(spelling).slice(1, -1)))
}

function isBefore(time: number): (line: Line) => boolean | undefined {
  return (line) => {
    const at = parseRecord(line)?.['at']
    return typeof at === 'number' ? at < time : undefined
  }
}

type ReadLine = (line: Line) => Entry | undefined

/** The message that a line holds, if it is meant. */
function entryReader(path: string, { voidToo = false }: FindOptions): ReadLine {
  const judge = judgeOf(path)
  return (line) => {
    const message = parseRecord(line)
    if (!message || !isMessage(message)) return undefined
    const verdict = 'expect' in message ? judge.verdict(line) : 'counts'
    if (verdict === 'counts') return { message, line }
    return voidToo && verdict !== 'repeats' ? { message, line, isVoid: true } : undefined
  }
}

/** The first of a message and its repetitions shortly before it, whose place is that of the message. */
function firstOf(path: string, entry: Entry, read: ReadLine): Entry {
  const { id } = entry.message
  for (const line of findLinesBefore(path, Buffer.from(JSON.stringify(id)), entry.line, repeatBytesMax)) {
    const older = read(line)
    if (older?.message.id === id && older.isVoid === entry.isVoid) return firstOf(path, older, read)
  }
  return entry
}
