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

/** What a post is checked against: `expect` names the message that must be the newest, `key` is one that counts once. */
export type Condition = Pick<Message, 'topic' | 'key'> & { readonly expect?: Message['expect'] | undefined }

/**
 * The message at `path` that has the key already. Looked at before a message is made, so that who comes too late leaves
 * neither a void line nor a blob. Fails as a conflict when the newest message is not the expected one.
 */
export function findPosted(path: string, condition: Condition): Message | undefined {
  const { key } = condition
  const known = key === undefined ? undefined : findKeyed(path, key)
  if (known === undefined) requireHead(judgeOf(path), condition)
  return known
}

/**
 * Appends the line of a message that has a `key`, an `expect` or both to the topic at `path`; or gives the message that
 * has its key meanwhile. Only a key needs the topic's exclusive section: without it two could look for it at once.
 */
export async function appendChecked(
  path: string,
  line: string,
  condition: Condition,
  options: AppendOptions,
): Promise<Message | undefined> {
  const { topic, key } = condition
  const purpose = `a message was to be posted to ${topic}`
  orRefused(purpose, () => makeFolder(dirname(path)))
  if (key === undefined) return appendExpected(path, line, condition, options)
  return orRefusedLater(purpose, () =>
    transact(path, () => findKeyed(path, key) ?? appendExpected(path, line, condition, options)),
  )
}

function appendExpected(path: string, line: string, condition: Condition, options: AppendOptions): undefined {
  const purpose = `a message was to be posted to ${condition.topic}`
  if (condition.expect === undefined) {
    orRefused(purpose, () => appendLine(path, line, options))
    return undefined
  }
  const judge = judgeOf(path)
  try {
    orRefused(purpose, () =>
      appendConditionalNow(path, line, (_, position) => judge.verdict(position) === 'counts', options),
    )
  } catch (error) {
    if (isFailure(error) && error.kind === 'conflict') requireHead(judge, condition)
    throw error
  }
  return undefined
}

/** Fails as a conflict that names the newest message when it is not the expected one. */
function requireHead(judge: Judge, { topic, expect }: Condition): void {
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
