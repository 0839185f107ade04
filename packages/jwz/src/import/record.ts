// What a line of an export may be. What is read here was written by anybody.
import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { isFailure } from '@switchyard/ground/failure'
import { parseRecord } from '@switchyard/jsonl'
import { isAck, isMessage, topicFile } from '@switchyard/topic'
import { requireImportable } from '@switchyard/topic/import'
import type { ExportedBlob } from '../export/jsonl.ts'
import type { ExportRecord } from '../exported/records.ts'

/** A line that says something, or why it says nothing that can be imported. */
export type Incoming =
  | { kind: 'record'; record: ExportRecord }
  | { kind: 'blob'; sha256: string; bytes: Buffer }
  | { kind: 'blank' }
  | { kind: 'fault'; reason: string }

function isBlob(record: Record<string, unknown>): record is ExportedBlob {
  const { type, v, sha256, base64 } = record
  return type === 'blob' && v === 1 && typeof sha256 === 'string' && typeof base64 === 'string'
}

function parseBlob({ sha256, base64 }: ExportedBlob): Incoming {
  const bytes = Buffer.from(base64, 'base64')
  const hash = createHash('sha256').update(bytes).digest('hex')
  return hash === sha256 ? { kind: 'blob', sha256, bytes } : fault('is a file with other bytes than its sha256 says')
}

function fault(reason: string): Incoming {
  return { kind: 'fault', reason }
}

/** What a message or ack cannot be kept for: its topic's name, or its size. */
function keepingFault(record: ExportRecord): string | undefined {
  try {
    topicFile(record.topic)
    requireImportable(record)
    return undefined
  } catch (error) {
    if (!isFailure(error)) throw error
    return `cannot be kept: ${error.message}`
  }
}

function faultOf(record: Record<string, unknown>): string {
  if (record['blob'] !== undefined) return 'has only the beginning of its body: it is no line of an export'
  if (record['expect'] !== undefined)
    return 'has a condition that only its own log can judge: it is no line of an export'
  return 'is neither a message, an ack nor a file'
}

/** Reads a line of an export; `isFirst` lets a byte order mark pass. */
export function parseIncoming(bytes: Buffer, isFirst: boolean): Incoming {
  if (!isUtf8(bytes)) return fault('is not UTF-8')
  const text = bytes.toString()
  const content = (isFirst ? text.replace(/^\ufeff/, '') : text).trim()
  if (content === '') return { kind: 'blank' }
  const record = parseRecord({ text: content })
  if (!record) return fault('is no JSON object')
  if (isBlob(record)) return parseBlob(record)
  const isForeign = record['blob'] === undefined && record['expect'] === undefined
  if (!isForeign || !(isAck(record) || (record['type'] === undefined && isMessage(record))))
    return fault(faultOf(record))
  const reason = keepingFault(record)
  return reason === undefined ? { kind: 'record', record } : fault(reason)
}
