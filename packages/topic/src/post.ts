import { makeFolder, orRefused } from '@switchyard/ground/disk'
import { Failure, systemCode } from '@switchyard/ground/failure'
import { dirname } from '@switchyard/ground/machine'
import { ulid } from '@switchyard/ground/ulid'
import { appendLine, appendLines } from '@switchyard/jsonl'
import { keepBlob, writeBlob } from './blob.ts'
import type { Message } from './message-schema.ts'
import { createBus, type Store, topicPath } from './store.ts'

/** Bytes a line may have; a longer body moves to a blob and leaves its beginning. */
const lineBytesMax = 32 * 1024
/** Bytes a body may have at all. */
const bodyBytesMax = 64 * 1024 * 1024
/** Characters of a long body that stay in the line, for people who read the file. */
const excerptLength = 500

/**
 * What a sender says; the rest of the message is filled in. `id` is given only by those who publish an event that has
 * one already.
 */
export type Draft = Pick<Message, 'topic' | 'from' | 'body'> &
  Partial<
    Pick<
      Message,
      | 'role'
      | 'model'
      | 'to'
      | 'tags'
      | 'reply_to'
      | 'data'
      | 'git'
      | 'id'
      | 'attachments'
      | 'urgent'
      | 'key'
      | 'expires'
    >
  >

/** Cuts at a code point, so that no surrogate pair is halved. */
function excerpt(body: string): string {
  return Array.from(body.slice(0, excerptLength + 1))
    .slice(0, -1)
    .join('')
}

/** Whether a text is longer than a line may be. */
export function isTooLong(text: string): boolean {
  return text.length > lineBytesMax || Buffer.byteLength(text) > lineBytesMax
}

function requireBodyBytes(bytes: number): void {
  if (bytes <= bodyBytesMax) return
  throw new Failure('usage', `a body has at most ${bodyBytesMax} bytes; got ${bytes}`, {
    hint: 'put it into a file and post its path',
  })
}

/**
 * A message as it stands beside a body of so many bytes in a blob, whose hash is not known yet: each is as long. Fails
 * as bad input when that is too long all the same.
 */
function shorten(message: Message, bytes: number): Message {
  requireBodyBytes(bytes)
  const short = { ...message, body: excerpt(message.body), blob: { sha256: '0'.repeat(64), bytes } }
  requireShort(JSON.stringify(short))
  return short
}

/** Fails as bad input when a message with its whole body could not be posted. */
export function requireRoom(message: Message): void {
  if (isTooLong(JSON.stringify(message))) shorten(message, Buffer.byteLength(message.body))
}

/** Fails as bad input when a line is too long although it has no body, or only its beginning. */
export function requireShort(line: string): string {
  if (!isTooLong(line)) return line
  throw new Failure(
    'usage',
    `the fields of a message beside its body have at most ${lineBytesMax} bytes; got ${Buffer.byteLength(line)}`,
    { hint: 'put the data into the body or a file' },
  )
}

/** A message as its topic will tell of it, and its line. */
type Completed = { message: Message; line: string }

/**
 * The line that a message with its whole body becomes, and the message as it then stands: a body too long for a line is
 * in a blob by then. What can have no line at all is refused before, so that no blob is left of it.
 */
export async function toLine(store: Store, message: Message, now: number): Promise<Completed> {
  const line = JSON.stringify(message)
  if (!isTooLong(line)) return { message, line }
  const bytes = Buffer.from(message.body)
  const short = shorten(message, bytes.length)
  const blob = await writeBlob(store, bytes, now)
  return { message: { ...message, blob }, line: JSON.stringify({ ...short, blob }) }
}

function fillIn({ id, topic, from, body, ...rest }: Draft, now: number): Message {
  return { v: 1, id: id ?? ulid(now), at: now, topic, from, body, ...rest }
}

/** `durable` (default true): the message survives a power cut, too; a feed that is only a hint can do without. */
export type PostOptions = { durable?: boolean }

/** `expect`: id of the message that must be the newest that counts, or null for a topic that has none. */
type CheckedOptions = PostOptions & { expect?: string | null | undefined }

/** Appends to a topic, and makes its folder for a first message. */
function append(path: string, purpose: string, act: () => void): void {
  orRefused(purpose, () => {
    try {
      act()
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') throw error
      makeFolder(dirname(path))
      act()
    }
  })
}

/**
 * Posts a message and returns it, whole, once it is safely in the log; makes the bus and the topic when they are not
 * there. `now` is milliseconds since 1970. A draft with the `key` of a message that is there already posts nothing and
 * returns that one. Fails as bad input on a bad topic or a body above 64 MiB, as `failed` when the disk refuses, as
 * `conflict` when the newest message is not the expected one.
 */
export async function postMessage(
  store: Store,
  draft: Draft,
  now: number,
  { expect, ...options }: CheckedOptions = {},
): Promise<Message> {
  const { topic, key } = draft
  const condition = { topic, key, expect }
  const path = topicPath(store, topic)
  createBus(store)
  const checked = key === undefined && expect === undefined ? undefined : await import('./post-checked.ts')
  let posted = checked?.findPosted(path, condition)
  if (posted === undefined) {
    const given = { ...fillIn(draft, now), ...(expect === undefined ? {} : { expect }) }
    const { message, line } = await toLine(store, given, now)
    if (checked === undefined)
      append(path, `a message was to be posted to ${topic}`, () => appendLine(path, line, options))
    posted = (await checked?.appendChecked(path, line, condition, options)) ?? message
  }
  await keepBlob(store, path, posted, now)
  return posted
}

/**
 * Posts many messages to one topic with one write: all of them are in the log when it returns. Otherwise like
 * `postMessage`.
 */
export async function postMessages(
  store: Store,
  topic: string,
  drafts: readonly Omit<Draft, 'topic' | 'key'>[],
  now: number,
  options: PostOptions = {},
): Promise<Message[]> {
  const path = topicPath(store, topic)
  if (drafts.length === 0) return []
  createBus(store)
  const completed: Completed[] = []
  for (const draft of drafts) completed.push(await toLine(store, fillIn({ ...draft, topic }, now), now))
  const lines = completed.map(({ line }) => line)
  append(path, `messages were to be posted to ${topic}`, () => appendLines(path, lines, options))
  for (const { message } of completed) await keepBlob(store, path, message, now)
  return completed.map(({ message }) => message)
}
