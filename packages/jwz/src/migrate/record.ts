// What a record of the original becomes here. Whatever has no place of its own goes into `data.migrated`.
import { isPlainObject } from '@switchyard/ground/plain-object'
import { isUlid } from '@switchyard/ground/ulid'
import type { Message } from '@switchyard/topic'
import type { Foreign } from '@switchyard/topic/import'

/** A record of the source: fields by name, not yet looked at. */
export type SourceRecord = Record<string, unknown>

/** Keeps bytes as a file of a message, and says how to name them there. */
export type Keep = (bytes: Uint8Array) => { sha256: string; bytes: number }

/** What the original calls a sender whose given name is too short for it. */
const namelessSender = 'Unknown Agent'
/** Bytes of `data` that stay in the line; more becomes a file. */
const dataBytesMax = 16 * 1024

/** Text, or the bytes that stand for it as a list of numbers; `bytes` only where they are not UTF-8. */
export type SourceText = { text: string; bytes?: Buffer }

/** Text of the original, which writes what is not UTF-8 as a list of byte numbers; undefined for anything else. */
export function textOf(value: unknown): SourceText | undefined {
  if (typeof value === 'string') return { text: value }
  if (!Array.isArray(value) || !value.every(isByte)) return undefined
  const bytes = Buffer.from(value)
  const text = bytes.toString()
  return Buffer.from(text).equals(bytes) ? { text } : { text, bytes }
}

function isByte(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255
}

/** Non-empty text under a name; what else is there stays where it is. */
function take(fields: SourceRecord, name: string): string | undefined {
  const found = textOf(fields[name])
  if (fields[name] === null) delete fields[name]
  if (found === undefined || found.text.trim() === '') return undefined
  if (found.bytes === undefined) delete fields[name]
  return found.text
}

function takeObject(fields: SourceRecord, name: string): SourceRecord {
  const value = fields[name]
  if (value === null) delete fields[name]
  if (!isPlainObject(value)) return {}
  delete fields[name]
  return { ...value }
}

function takeTime(fields: SourceRecord, id: string): number {
  const at = fields['created_at']
  if (typeof at !== 'number') return isUlid(id) ? timeOf(id) : 0
  delete fields['created_at']
  return at
}

/** The time in a ULID, in milliseconds since 1970. */
function timeOf(id: string): number {
  return [...id.slice(0, 10)].reduce((time, digit) => time * 32 + '0123456789ABCDEFGHJKMNPQRSTVWXYZ'.indexOf(digit), 0)
}

/** Takes out who speaks: the name, else the role. A name that only says that there is none gives way to the id. */
function takeSender(sender: SourceRecord): { from: string; role?: string; model?: string } {
  const isNameless = sender['name'] === namelessSender && typeof sender['id'] === 'string' && !isUlid(sender['id'])
  const name = take(sender, isNameless ? 'id' : 'name')
  const role = take(sender, 'role')
  const model = take(sender, 'model')
  return {
    from: name ?? role ?? 'unknown',
    ...(role === undefined ? {} : { role }),
    ...(model === undefined ? {} : { model }),
  }
}

function takeGit(git: SourceRecord): { oid: string | null; branch: string | null; prefix: string } {
  const oid = take(git, 'oid') ?? null
  const head = take(git, 'head') ?? null
  const prefix = take(git, 'prefix') ?? ''
  if (git['prefix'] === '') delete git['prefix']
  return {
    oid: oid === '(initial)' ? null : oid,
    branch: head === '(detached)' ? null : head,
    prefix: prefix.replace(/\/$/, ''),
  }
}

function isEmpty(fields: SourceRecord): boolean {
  return Object.keys(fields).length === 0
}

type Files = NonNullable<Message['attachments']>

/** `data` for a message, or a file of it where it is too long for a line. */
function placeData(migrated: SourceRecord, keep: Keep): { data: SourceRecord; files: Files } {
  const text = JSON.stringify(migrated)
  if (Buffer.byteLength(text) <= dataBytesMax) return { data: { data: { migrated } }, files: [] }
  return { data: {}, files: [{ name: 'migrated.json', ...keep(Buffer.from(text)) }] }
}

/**
 * A message of the original as one of ours, with the id it had. `topic` is its topic's record, without what is in every
 * message anyway. A body that is no text becomes a file of the message, beside a text in which what cannot be shown is
 * replaced. Undefined for a record without an id or a body.
 */
export function toMessage(source: SourceRecord, topic: SourceRecord, keep: Keep): Foreign | undefined {
  const { type, id, body: given, topic_id, ...rest } = source
  const body = textOf(given)
  if (typeof id !== 'string' || id === '' || id.length > 128 || body === undefined) return undefined
  const at = takeTime(rest, id)
  const hasGit = isPlainObject(rest['git'])
  const [sender, git] = [takeObject(rest, 'sender'), takeObject(rest, 'git')]
  const [speaker, context, answered] = [takeSender(sender), takeGit(git), take(rest, 'parent_id')]
  const { data, files: dataFiles } = placeData(
    { topic, ...(isEmpty(sender) ? {} : { sender }), ...(isEmpty(git) ? {} : { git }), ...rest },
    keep,
  )
  const files = [...(body.bytes === undefined ? [] : [{ name: 'body', ...keep(body.bytes) }]), ...dataFiles]
  return {
    v: 1,
    id,
    at,
    ...speaker,
    body: body.text,
    ...(answered === undefined ? {} : { reply_to: answered }),
    ...(hasGit ? { git: context } : {}),
    ...(files.length === 0 ? {} : { attachments: files }),
    ...data,
  }
}

/** The description of a topic as a message with the id of the topic; undefined when it has none. */
export function toDescription(source: SourceRecord, keep: Keep): Foreign | undefined {
  const { type, id, name, description, ...rest } = source
  const body = textOf(description)
  if (typeof id !== 'string' || body === undefined || body.text.trim() === '') return undefined
  const files = body.bytes === undefined ? {} : { attachments: [{ name: 'description', ...keep(body.bytes) }] }
  const at = takeTime(rest, id)
  return {
    v: 1,
    id,
    at,
    from: 'unknown',
    body: body.text,
    tags: ['description'],
    ...files,
    data: { migrated: { name, ...rest } },
  }
}
