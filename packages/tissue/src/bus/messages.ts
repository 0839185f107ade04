// What was said on the bus about an issue, apart from tissue's own news of it.

import { isFailure } from '@switchyard/ground/failure'
import { isPlainObject } from '@switchyard/ground/plain-object'
import { findLinesBefore, type Line, parseRecord } from '@switchyard/jsonl'
import {
  endOfTopic,
  findById,
  isExpired,
  isMessage,
  listTopics,
  type Message,
  readMessagesBackwards,
  type Store,
  topicPath,
} from '@switchyard/topic'
import type { BusMessage } from '../schema/schemas.ts'

/** Topics of other issues, and those on which our tools tell each other what they do. */
const isOfMachine = /^(?:issue:|loop:|tissue:feed$)/

/** How many are shown. */
const shownMax = 5
/** How much is looked through: messages of the issue's own topic; topics, and bytes from the end of each. */
const ownTopicMax = 200
const topicsMax = 200
const bytesMax = 4 * 1024 * 1024

/**
 * The newest messages that refer to an issue, newest first: those on its own topic, and those on others that have its
 * whole id in the body, the tags or the data. The topics of other issues, those of tools and what is older than a few
 * megabytes of each topic are left out. `now` is milliseconds since 1970. What of the bus cannot be read takes nothing
 * from the rest, and `onUnread` is told.
 */
export function messagesAbout(
  bus: Store,
  issue: string,
  { now, onUnread }: { now: number; onUnread: (text: string) => void },
): BusMessage[] {
  const own = `issue:${issue}`
  const topics = listTopics(bus, ({ path, reason, isUnread }) => {
    if (isUnread) onUnread(`${path}: ${reason}`)
  })
  const others = topics.filter((topic) => !isOfMachine.test(topic))
  const sparing = (read: () => Message[]): Message[] => {
    try {
      return read()
    } catch (error) {
      if (!isFailure(error)) throw error
      onUnread(error.message)
      return []
    }
  }
  const found = [
    ...sparing(() => onOwnTopic(bus, own, now)),
    ...others.slice(0, topicsMax).flatMap((topic) => sparing(() => onTopic(bus, topic, issue, now))),
  ]
  return found
    .sort((a, b) => b.at - a.at)
    .slice(0, shownMax)
    .map(({ topic, id, at, from, body }) => ({ topic, id, at, from, body }))
}

function onOwnTopic(bus: Store, topic: string, now: number): Message[] {
  const found: Message[] = []
  let looked = 0
  for (const { message } of readMessagesBackwards(bus, topic)) {
    looked += 1
    if (isSaid(message, now)) found.push(message)
    if (looked === ownTopicMax || found.length === shownMax) break
  }
  return found
}

function onTopic(bus: Store, topic: string, issue: string, now: number): Message[] {
  const end = endOfTopic(bus, topic)
  if (end === undefined) return []
  const found = new Map<string, Message>()
  for (const line of findLinesBefore(topicPath(bus, topic), Buffer.from(issue), end, bytesMax)) {
    const message = messageIn(line)
    if (!message || !isSaid(message, now) || !mentions(message, issue) || !counts(bus, message)) continue
    // The first of several lines with one id counts, and it comes last here.
    found.set(message.id, message)
    if (found.size === shownMax) break
  }
  return [...found.values()]
}

function messageIn(line: Line): Message | undefined {
  const record = parseRecord(line)
  return record && isMessage(record) ? record : undefined
}

/** Not our own news, which carries the event of the same id, and not over. */
function isSaid(message: Message, now: number): boolean {
  const isNews = isPlainObject(message.data) && message.data['id'] === message.id
  return !isNews && !isExpired(message, now)
}

function mentions({ body, tags = [], data }: Message, issue: string): boolean {
  const pattern = new RegExp(`(?<![a-z0-9-])${issue}(?![a-z0-9-])`, 'i')
  return [body, ...tags, data === undefined ? '' : JSON.stringify(data)].some((text) => pattern.test(text))
}

/** A conditional message may have lost; only its topic as a whole can tell. */
function counts(bus: Store, message: Message): boolean {
  return !('expect' in message) || findById(bus, message.topic, message.id) !== undefined
}
