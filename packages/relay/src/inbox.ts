// What came from the stream, into the topics' logs: a union by id.
import { isFailure } from '@switchyard/ground/failure'
import { isExpired, readBlob, type Store, topicFile, writeBlob } from '@switchyard/topic'
import type { Foreign } from '@switchyard/topic/import'
import { fetchBlob } from './blob-parts.ts'
import type { Received, Remote } from './nats.ts'
import { topicOfSubject } from './subject.ts'
import { type BlobRef, decodeWire, type Wire } from './wire-schema.ts'

export type Intake = {
  store: Store
  remote: Remote
  isMeant: (topic: string) => boolean
  /** Milliseconds since 1970. */
  now: number
  onSkipped: (topic: string, reason: string) => void
}

/**
 * The records of messages, by topic and whole: attached files are in the store and bodies in the records. Those that
 * nobody here asked for or that have expired are left out, those that cannot be what they should be are told of.
 */
export async function recordsOf(messages: readonly Received[], intake: Intake): Promise<Map<string, Foreign[]>> {
  const byTopic = new Map<string, Foreign[]>()
  for (const { subject, payload } of messages) {
    const topic = topicOfSubject(intake.remote.stream, subject)
    if (topic === undefined || !isTopic(topic)) {
      intake.onSkipped(subject, 'no topic has this subject')
      continue
    }
    if (!intake.isMeant(topic)) continue
    const wire = decodeWire(payload, topic)
    const record = wire ? await wholeOf(wire, intake) : 'it is no message of this topic'
    if (typeof record === 'string') intake.onSkipped(topic, record)
    else if (record) byTopic.set(topic, [...(byTopic.get(topic) ?? []), record])
  }
  return byTopic
}

function isTopic(topic: string): boolean {
  try {
    return topicFile(topic) !== ''
  } catch (error) {
    if (!isFailure(error)) throw error
    return false
  }
}

/** The record with its body in it; undefined when it has expired, a reason when it cannot be had. */
async function wholeOf(wire: Wire, intake: Intake): Promise<Foreign | string | undefined> {
  if (wire.type === 'ack') return wire
  const { blob, ...message } = wire
  if (isExpired(message, intake.now)) return undefined
  for (const file of message.attachments ?? []) {
    if (readBlob(intake.store, file)) continue
    const content = await fetchBlob(intake.remote, file)
    if (!content) return lacking(file)
    await writeBlob(intake.store, content, intake.now)
  }
  if (!blob) return message
  const body = readBlob(intake.store, blob) ?? (await fetchBlob(intake.remote, blob))
  return body ? { ...message, body: body.toString() } : lacking(blob)
}

function lacking({ sha256 }: BlobRef): string {
  return `the stream does not have blob ${sha256} whole`
}
