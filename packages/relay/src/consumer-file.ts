import { dirname } from 'node:path'
import { fileIn, makeFolder, orRefused, orRefusedLater } from '@switchyard/ground/disk'
import { writeWhole } from '@switchyard/ground/whole-file'
import { type Cursor, transact } from '@switchyard/jsonl'
import { fileWord, type Store, topicFile } from '@switchyard/topic'

/** How far a topic has been published: its last message, and a place in each file of its log. */
export type Published = { id: string | null; files: readonly Cursor[] }

/**
 * Says in the store how far the relay has published a topic, as a consumer of it (docs/formats/cursor.md): what it has
 * not published is not dropped by retention, and whoever asks sees how far it is behind. `now` is milliseconds since
 * 1970.
 */
export async function writeConsumer(
  store: Store,
  stream: string,
  topic: string,
  { id, files }: Published,
  now: number,
): Promise<void> {
  const consumer = `relay:${stream}`
  const path = fileIn(store, `cursors/${fileWord(consumer)}/${topicFile(topic)}.json`)
  const text = `${JSON.stringify({ v: 1, consumer, topic, id, at: now, files, recent: [] })}\n`
  orRefused(`${path} was to be kept`, () => makeFolder(dirname(path)))
  await orRefusedLater(`${path} was to be written`, () => transact(path, () => writeWhole(path, `${path}.draft`, text)))
}
