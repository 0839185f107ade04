// How far each consumer has read each topic: one small file a consumer and topic, replaced whole.
import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { entriesIn, fileIn, folderIn, makeFolder, orRefused, readStored } from '@switchyard/ground/disk'
import { Failure } from '@switchyard/ground/failure'
import { writeWhole } from '@switchyard/ground/whole-file'
import { parseRecord } from '@switchyard/jsonl'
import { fileWord, requireName, type Store, topicFile } from '@switchyard/topic'
import { isConsumerCursor } from './place.check.ts'
import type { ConsumerCursor } from './schemas.ts'

const extension = '.json'

function cursorsFolder(store: Store): string {
  return folderIn(store, 'cursors')
}

/** Where a consumer's place in a topic is kept. Fails as bad input on a name that is none. */
export function cursorPath(store: Store, consumer: string, topic: string): string {
  return fileIn(store, `cursors/${fileWord(requireName(consumer))}/${topicFile(topic)}${extension}`)
}

function readCursorFile(path: string): ConsumerCursor | undefined {
  const text = readStored(path)
  if (text === undefined) return undefined
  const record = parseRecord({ text })
  if (record && isConsumerCursor(record)) return record
  throw new Failure('corrupt', `${path} was to be a consumer's place, it has other content`, {
    hint: 'remove the file; the consumer then begins anew',
  })
}

/** How far a consumer has read a topic; undefined when it never committed. Failure `corrupt` on a damaged file. */
export function readCursor(store: Store, consumer: string, topic: string): ConsumerCursor | undefined {
  return readCursorFile(cursorPath(store, consumer, topic))
}

/** Makes the folder that a cursor's file and its lock lie in. */
export function makeCursorFolder(path: string): void {
  orRefused(`${path} was to be kept`, () => makeFolder(dirname(path)))
}

/** Replaces a cursor, whole and kept through a power cut. Only inside the section on its path. */
export function writeCursor(path: string, cursor: ConsumerCursor): void {
  orRefused(`${path} was to be written`, () => writeWhole(path, `${path}.draft`, `${JSON.stringify(cursor)}\n`))
}

/** Forgets a cursor. Only inside the section on its path. */
export function removeCursor(path: string): void {
  orRefused(`${path} was to be removed`, () => rmSync(path, { force: true }))
}

function* filesBelow(folder: string): Generator<string> {
  for (const entry of entriesIn(folder)) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && !entry.name.endsWith('.lock')) yield* filesBelow(path)
    else if (entry.isFile() && entry.name.endsWith(extension)) yield path
  }
}

function inOrder(left: string, right: string): number {
  return left < right ? -1 : Number(left > right)
}

/** The places of all consumers in all topics, or of one consumer, sorted by consumer and topic. */
export function listCursors(store: Store, consumer?: string): ConsumerCursor[] {
  const folder = cursorsFolder(store)
  const paths = [
    ...filesBelow(consumer === undefined ? folder : folderIn(store, `cursors/${fileWord(requireName(consumer))}`)),
  ]
  return paths
    .map(readCursorFile)
    .filter((cursor) => cursor !== undefined)
    .sort((left, right) => inOrder(left.consumer, right.consumer) || inOrder(left.topic, right.topic))
}

/** What to throw when a consumer that was named has never committed. */
export function unknownConsumer(store: Store, consumer: string): Failure {
  return new Failure('notFound', `no consumer ${consumer} in ${store.path}`, {
    hint: 'jwz read --status shows them; a first commit makes one',
  })
}
