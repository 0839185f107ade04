import { type Ack, isAck, type Message, readBlob, type Store, withBody } from '@switchyard/topic'
import { type ExportFilter, type ExportRecord, exportedRecords } from '../exported/records.ts'
import { blobFault } from '../store/blob-fault.ts'
import type { Sparing } from '../store/many-topics.ts'

/** A file that messages refer to, so that an export is whole without the store. */
export type ExportedBlob = { type: 'blob'; v: 1; sha256: string; base64: string }

/** A record of an export file. */
export type PortableRecord = Message | Ack | ExportedBlob

/** Bytes of an attached file that still go into an export; a line with more could not be read back everywhere. */
const blobBytesMax = 64 * 1024 * 1024

/** Which topics an export has, and what of them. */
export type Exported = { store: Store; topics: readonly string[]; sparing: Sparing; filter: ExportFilter }

/** Told what an export cannot have: a message whose body is not all there, an attached file. */
export type Gaps = { onLostBody: (message: Message) => void; onLostFile: (text: string) => void }

/** A message as an export has it: whole, and without what only its own log can judge. */
function portable(store: Store, message: Message, { onLostBody }: Gaps): Message | undefined {
  let isWhole = message.blob === undefined || blobFault(store, message.blob) === undefined
  const { blob, expect, ...rest } = withBody(store, message, () => {
    isWhole = false
  })
  if (isWhole) return rest
  onLostBody(message)
  return undefined
}

/**
 * What an export has of these topics, one after the other in the order of their logs; a file before the first message
 * that it was posted with, and once. A message of whose body the store has only the beginning is left out: elsewhere it
 * would pass for the whole one.
 */
export function* portableRecords({ store, topics, sparing, filter }: Exported, gaps: Gaps): Generator<PortableRecord> {
  const told = new Set<string>()
  for (const topic of topics) {
    for (const record of sparing(topic, () => exportedRecords(store, topic, filter))) {
      yield* blobsOf(store, record, told, gaps)
      const whole = isAck(record) ? record : portable(store, record, gaps)
      if (whole) yield whole
    }
  }
}

function* blobsOf(store: Store, record: ExportRecord, told: Set<string>, gaps: Gaps): Generator<ExportedBlob> {
  if (isAck(record)) return
  for (const { name, sha256, bytes } of record.attachments ?? []) {
    if (told.has(sha256)) continue
    told.add(sha256)
    const isLost = bytes > blobBytesMax || blobFault(store, { sha256, bytes }) !== undefined
    const content = isLost ? undefined : readBlob(store, { sha256, bytes })
    if (content) yield { type: 'blob', v: 1, sha256, base64: content.toString('base64') }
    else gaps.onLostFile(`${name} of ${record.id} is ${bytes > blobBytesMax ? 'too large' : 'not in the store'}`)
  }
}
