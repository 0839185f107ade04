// The bus hears of leases after their log has them, under the record's own id: the feed is a hint, the log the truth.
import { postMessage, readMessagesBackwards, type Store } from '@switchyard/topic'
import { renderTime } from '../text/message-line.ts'
import type { LeaseChange } from './log.ts'
import type { LeaseRecord } from './schema.ts'

const topic = 'jwz:lease'
/** How many records before ours are looked for on the feed, and how many of its messages are looked through. */
const repairedMax = 8
const lookedThroughMax = 256
/** A younger record is still being published by its writer, an older one is no news. */
const repairFromMs = 1000
const repairUpToMs = 3600 * 1000

/**
 * Posts what was written, and before it what an earlier writer was killed before it could post. `now` is milliseconds
 * since 1970. A message follows from its record alone, so two who post the same one post the same bytes.
 */
export async function publishLeases(store: Store, { written, earlier }: LeaseChange, now: number): Promise<void> {
  const recent = earlier.slice(-repairedMax).filter(({ at }) => now - at >= repairFromMs && now - at < repairUpToMs)
  for (const record of [...notOnFeed(store, recent), ...written]) await publish(store, record)
}

function notOnFeed(store: Store, records: readonly LeaseRecord[]): LeaseRecord[] {
  const missing = new Map(records.map((record) => [record.id, record]))
  if (missing.size === 0) return []
  let looked = 0
  for (const { message } of readMessagesBackwards(store, topic)) {
    missing.delete(message.id)
    looked += 1
    if (missing.size === 0 || looked === lookedThroughMax) break
  }
  return [...missing.values()]
}

async function publish(store: Store, record: LeaseRecord): Promise<void> {
  const { id, from, at } = record
  const isTaken = record.type === 'acquire' || record.type === 'steal'
  const former = isTaken && record.former ? { to: record.former } : {}
  const draft = { id, topic, from, body: sentenceOf(record), data: record, ...former }
  await postMessage(store, draft, at, { durable: false })
}

function sentenceOf(record: LeaseRecord): string {
  if (record.type === 'base') throw new Error('bug: a checkpoint is no news')
  const keys = record.keys.join(' ')
  if (record.type === 'release') return `released ${keys}`
  const until = `until ${renderTime(record.until)}`
  if (record.type === 'renew') return `renewed ${keys} ${until}`
  const former = record.former ? ` from ${record.former.join(', ')}` : ''
  const what = `${keys}${record.mode === 'shared' ? ' (shared)' : ''}${former}`
  const why = record.reason === null ? '' : `: ${record.reason}`
  return `${record.type === 'steal' ? 'stole' : 'acquired'} ${what} ${until}${why}`
}
