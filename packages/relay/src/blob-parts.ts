// Long bodies and attachments: cut into parts under their hash before the message that names them, fetched by whoever
// lacks them.
import { createHash } from 'node:crypto'
import type { Remote } from './nats.ts'
import { partSubject, partSubjects } from './subject.ts'
import type { BlobRef } from './wire-schema.ts'

/** Bytes of a part where the server takes more. */
const partBytesMax = 512 * 1024
/** What a message's subject and headers may take of the server's limit. */
const overheadBytes = 4 * 1024
/** Parts one blob may have, so that a made-up one cannot keep us busy. */
const partsMax = 64 * 1024

/** Publishes a blob, unless the stream has it. Returns when all its parts are stored. */
export async function publishBlob(remote: Remote, { sha256 }: BlobRef, content: Uint8Array): Promise<void> {
  const partBytes = Math.min(partBytesMax, Math.max(1, remote.payloadBytesMax - overheadBytes))
  const count = Math.ceil(content.length / partBytes)
  if (count === 0 || (await wholeCounts(remote, sha256)).includes(count)) return
  for (let at = 0; at < count; at++) {
    const subject = partSubject(remote.stream, sha256, count, at)
    await remote.publish(subject, content.subarray(at * partBytes, (at + 1) * partBytes), subject)
  }
}

/** A blob from the stream, or undefined when it is not there, not whole, or has other bytes than its hash says. */
export async function fetchBlob(remote: Remote, { sha256, bytes }: BlobRef): Promise<Buffer | undefined> {
  if (bytes === 0) return isHashOf(sha256, Buffer.alloc(0)) ? Buffer.alloc(0) : undefined
  for (const count of await wholeCounts(remote, sha256)) {
    const content = await fetchParts(remote, sha256, count, bytes)
    if (content?.length === bytes && isHashOf(sha256, content)) return content
  }
  return undefined
}

async function fetchParts(
  remote: Remote,
  sha256: string,
  count: number,
  bytesMax: number,
): Promise<Buffer | undefined> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for (let at = 0; at < count; at++) {
    const part = await remote.newest(partSubject(remote.stream, sha256, count, at))
    bytes += part?.length ?? 0
    if (part === undefined || bytes > bytesMax) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** Into how many parts the blob was cut by those who published all of them. */
async function wholeCounts(remote: Remote, sha256: string): Promise<number[]> {
  const subjects = new Set(await remote.subjectsIn(partSubjects(remote.stream, sha256)))
  const counts = new Set([...subjects].map((subject) => Number(subject.split('.').at(-2))))
  return [...counts].filter((count) => {
    if (!Number.isSafeInteger(count) || count < 1 || count > partsMax || count > subjects.size) return false
    return Array.from({ length: count }, (_, at) => partSubject(remote.stream, sha256, count, at)).every((subject) =>
      subjects.has(subject),
    )
  })
}

function isHashOf(sha256: string, content: Uint8Array): boolean {
  return createHash('sha256').update(content).digest('hex') === sha256
}
