import { isPlainObject } from '@switchyard/ground/plain-object'
import type { Message } from './message-schema.ts'

function isStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every((element) => typeof element === 'string')
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

/** Ids are printed one a line. */
function isId(value: unknown): boolean {
  return typeof value === 'string' && value.length <= 128 && /^[^\p{Cc}]+$/u.test(value)
}

function isNullableText(value: unknown): boolean {
  return value === null || typeof value === 'string'
}

function isGit(value: unknown): boolean {
  return (
    isPlainObject(value) &&
    isNullableText(value['oid']) &&
    isNullableText(value['branch']) &&
    typeof value['prefix'] === 'string'
  )
}

function isBlob(value: unknown): boolean {
  if (!isPlainObject(value) || typeof value['sha256'] !== 'string' || typeof value['bytes'] !== 'number') return false
  return /^[0-9a-f]{64}$/.test(value['sha256']) && Number.isSafeInteger(value['bytes']) && value['bytes'] >= 0
}

function isAttachments(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every((element) => isBlob(element) && isPlainObject(element) && isText(element['name']))
  )
}

const optionalFields: readonly (readonly [name: string, isValid: (value: unknown) => boolean])[] = [
  ['role', (value) => typeof value === 'string'],
  ['model', (value) => typeof value === 'string'],
  ['to', isStrings],
  ['tags', isStrings],
  ['reply_to', (value) => typeof value === 'string'],
  ['git', isGit],
  ['blob', isBlob],
  ['attachments', isAttachments],
  ['urgent', (value) => typeof value === 'boolean'],
  ['key', isText],
  ['expires', (value) => typeof value === 'number' && Number.isFinite(value)],
  ['expect', isNullableText],
]

/**
 * Whether a record is a message: what `messageSchema` says, by hand, because verbs that run in shell loops cannot pay
 * for loading zod. A test holds the two against each other.
 */
export function isMessage(record: Record<string, unknown>): record is Message {
  const { v, id, at, topic, from, body } = record
  if (v !== 1 || !isId(id) || typeof at !== 'number' || !Number.isFinite(at)) return false
  if (!isText(topic) || !isText(from) || typeof body !== 'string') return false
  return optionalFields.every(([name, isValid]) => record[name] === undefined || isValid(record[name]))
}

/** Whether a message has had its time; `now` is milliseconds since 1970. Readers leave it out, the log keeps it. */
export function isExpired({ expires }: Pick<Message, 'expires'>, now: number): boolean {
  return expires !== undefined && expires <= now
}
