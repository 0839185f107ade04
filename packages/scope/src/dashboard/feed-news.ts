// News of sessions, as `scope:feed` brings them: a burst of them is one look.
import { follow, parseRecord, readLinesBackwards } from '@switchyard/jsonl'
import { isMessage, type Store, topicExists, topicPath } from '@switchyard/topic'
import { feedTopic } from '../session/bus-topics.ts'
import type { Others } from './others.ts'

/** How long news wait for others that come with them. */
const burstMs = 5
/** Between two bursts: each is a look at sessions and a drawing. */
const pauseMs = 45
/** So much is read back for sessions of other tools, which nothing else tells of: messages about them, and bytes. */
const readBackMax = 10_000
const readBackBytesMax = 64_000_000

/** The sessions that there is news of. */
export type Named = { readonly own: ReadonlySet<string>; readonly others: ReadonlySet<string> }

/** Folds what the feed holds already of the sessions of other tools; what it says of own ones is not parsed. */
export function readBack(bus: Store, others: Others): void {
  if (!topicExists(bus, feedTopic)) return
  const told: unknown[] = []
  for (const line of readLinesBackwards(topicPath(bus, feedTopic), readBackBytesMax)) {
    const [, named] = /"session":"([^"\\]+)"/.exec(line.text) ?? []
    if (named === undefined || others.isOwn(named)) continue
    const record = parseRecord(line)
    if (record !== undefined && isMessage(record)) told.push(record.data)
    if (told.length === readBackMax) break
  }
  for (const data of told.reverse()) others.hear(data)
}

/** Tells of the sessions that messages name from now on, until it is aborted. Fails where the feed cannot be read. */
export async function followFeed(
  bus: Store,
  others: Others,
  { signal, onNamed }: { signal: AbortSignal; onNamed: (named: Named) => void },
): Promise<void> {
  let named = { own: new Set<string>(), others: new Set<string>() }
  let timer: NodeJS.Timeout | undefined
  let flushedAt = 0
  const flush = () => {
    timer = undefined
    flushedAt = performance.now()
    const told = named
    named = { own: new Set(), others: new Set() }
    onNamed(told)
  }
  try {
    for await (const line of follow(topicPath(bus, feedTopic), { signal })) {
      const record = parseRecord(line)
      const heard = record !== undefined && isMessage(record) ? others.hear(record.data) : undefined
      if (heard === undefined || !heard.isNews) continue
      named[heard.isOwn ? 'own' : 'others'].add(heard.id)
      timer ??= setTimeout(flush, Math.max(burstMs, flushedAt + pauseMs - performance.now()))
    }
  } finally {
    clearTimeout(timer)
  }
}
