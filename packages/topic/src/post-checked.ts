// Posts that look before they write: only if the newest message is the expected one, and once per key.
import { dirname } from 'node:path'
import { makeFolder, orRefused, orRefusedLater } from '@switchyard/ground/disk'
import { Failure, isFailure } from '@switchyard/ground/failure'
import {
  type AppendOptions,
  appendConditionalNow,
  appendLine,
  findLinesBackwards,
  type Head,
  type Judge,
  parseRecord,
  transact,
} from '@switchyard/jsonl'
import { isMessage } from './message.check.ts'
import type { Message } from './message-schema.ts'
import { judgeOf } from './read.ts'

/** A message and its line. */
export type Completed = { message: Message; line: string }

type Complete = (message: Message) => Promise<Completed>

/**
 * Posts a message that has a `key`, an `expect` or both to the topic at `path`, and returns it, or the one that has its
 * key already. `complete` makes its line. Only a key needs the topic's exclusive section: without it two could look for
 * it at once.
 */
export async function postChecked(
  path: string,
  message: Message,
  complete: Complete,
  options: AppendOptions,
): Promise<Message> {
  const { topic, key } = message
  // Looked at first, so that who comes too late leaves neither a void line nor a blob.
  const known = key === undefined ? undefined : findKeyed(path, key)
  if (known) return known
  requireHead(judgeOf(path), message)
  const completed = await complete(message)
  const purpose = `a message was to be posted to ${topic}`
  orRefused(purpose, () => makeFolder(dirname(path)))
  if (key === undefined) return appendChecked(path, completed, purpose, options)
  return orRefusedLater(purpose, () =>
    transact(path, () => findKeyed(path, key) ?? appendChecked(path, completed, purpose, options)),
  )
}

function appendChecked(path: string, { message, line }: Completed, purpose: string, options: AppendOptions): Message {
  if (!('expect' in message)) {
    orRefused(purpose, () => appendLine(path, line, options))
    return message
  }
  const judge = judgeOf(path)
  try {
    orRefused(purpose, () =>
      appendConditionalNow(path, line, (_, position) => judge.verdict(position) === 'counts', options),
    )
  } catch (error) {
    if (isFailure(error) && error.kind === 'conflict') requireHead(judge, message)
    throw error
  }
  return message
}

/** Fails as a conflict that names the newest message when it is not the expected one. */
function requireHead(judge: Judge, { topic, expect }: Message): void {
  if (expect === undefined) return
  const head = judge.head()
  if ((head?.id ?? null) === expect) return
  const wanted = expect === null ? `${topic} was expected to be empty` : `${expect} was expected to be the newest`
  throw new Failure(
    'conflict',
    `${wanted}${expect === null ? '' : ` of ${topic}`}, ${head ? `${nameOf(head)} is` : 'there is none'}`,
    {
      hint: 'read what has come and decide anew',
    },
  )
}

function nameOf({ id, line }: Head): string {
  const record = line && parseRecord(line)
  return record && isMessage(record) ? `${id} from ${record.from}` : id
}

/** The message with this key that counts; of several, which only a merge by hand can make, the first. */
function findKeyed(path: string, key: string): Message | undefined {
  const judge = judgeOf(path)
  let first: Message | undefined
  const value = JSON.stringify(key)
  for (const line of findLinesBackwards(path, [Buffer.from(`"key":${value}`), Buffer.from(`"key": ${value}`)])) {
    const record = parseRecord(line)
    if (!record || !isMessage(record) || record.key !== key) continue
    if (!('expect' in record) || judge.verdict(line) === 'counts') first = record
  }
  return first
}
