// What goes through the stream: a line of a topic's log, without what was judged where it comes from.
import { parseRecord } from '@switchyard/jsonl'
import { messageSchema } from '@switchyard/topic/schema'
import * as z from 'zod'

/** Bytes a record may have on its way, as in a log. */
const recordBytesMax = 32 * 1024
/** Bytes a body or an attachment may have. */
const blobBytesMax = 64 * 1024 * 1024

const ackSchema = z.looseObject({
  type: z.literal('ack'),
  v: z.literal(1),
  id: z.string().min(1).max(128),
  at: z.number(),
  topic: z.string().min(1),
  from: z.string().min(1),
  message: z.string().min(1),
})

const plainSchema = messageSchema.extend({ type: z.undefined().optional() })

/** A record as it travels: a message or an acknowledgement. */
export type Wire = z.infer<typeof ackSchema> | z.infer<typeof plainSchema>

/** A body or an attachment that a record names. */
export type BlobRef = { sha256: string; bytes: number }

/** Whether a record of a log is of a kind that travels. */
export function parseWire(record: Record<string, unknown>): Wire | undefined {
  const parsed = record['type'] === 'ack' ? ackSchema.safeParse(record) : plainSchema.safeParse(record)
  return parsed.data
}

/** The text that is published; undefined when it is longer than a line of a log may be. */
export function encodeWire({ expect, ...record }: Wire): string | undefined {
  const text = JSON.stringify(record)
  return Buffer.byteLength(text) <= recordBytesMax ? text : undefined
}

/** What somebody published for `topic`, or undefined when it is nothing that a log of ours would have. */
export function decodeWire(payload: Uint8Array, topic: string): Wire | undefined {
  if (payload.length > recordBytesMax) return undefined
  const record = parseRecord({ text: new TextDecoder().decode(payload) })
  const wire = record && parseWire(record)
  if (wire?.topic !== topic) return undefined
  return blobsOf(wire).every(({ bytes }) => bytes <= blobBytesMax) ? wire : undefined
}

/** The blobs a record names: the rest of a long body, and what is attached. */
export function blobsOf(wire: Wire): BlobRef[] {
  if (wire.type === 'ack') return []
  return [...(wire.blob ? [wire.blob] : []), ...(wire.attachments ?? [])]
}
