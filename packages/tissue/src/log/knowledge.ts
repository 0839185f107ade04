// What one line says of others: which of them do nothing any more, and which of several with one id counts. It has to
// be known before the first line is read, as lines stand in any order.

import { isKnownEvent } from '../schema/event.check.ts'
import type { Knowledge, Ledger } from './fold.ts'
import { isUnknownEvent } from './later-event.ts'

type Fields = Readonly<Record<string, unknown>>

/** What has to be known before these records are folded again; undefined when the first time was right. */
export function knowledgeOf(ledger: Ledger, read: () => Iterable<Fields>): Knowledge | undefined {
  const { gone, withdrawn, repeated, isStale } = ledger
  const chosen = repeated.size > 0 ? choose(read, repeated) : new Map<string, string>()
  repeated.clear()
  return isStale || chosen.size > 0 ? { gone, withdrawn, chosen } : undefined
}

/** The line that counts for each id: the smallest in byte order of several. */
function choose(read: () => Iterable<Fields>, ids: ReadonlySet<string>): Map<string, string> {
  const lines = new Map<string, string[]>()
  const note = (texts: Map<string, string[]>, id: string, record: Fields) => {
    if (ids.has(id)) texts.set(id, [...(texts.get(id) ?? []), JSON.stringify(record)])
  }
  for (const record of read()) if (isKnownEvent(record) || isUnknownEvent(record)) note(lines, record.id, record)
  const texts = new Map([...lines].map(([id, all]) => [id, [...all]]))
  for (const record of read()) {
    if (!isKnownEvent(record) || record.type !== 'batch') continue
    const own = lines.get(record.id)
    // A batch that gives way to another brings none of its events.
    if (own && JSON.stringify(record) !== smallest(own)) continue
    for (const one of record.events) note(texts, one.id, one)
  }
  const differing = [...texts].filter(([, all]) => new Set(all).size > 1)
  return new Map(differing.map(([id, all]) => [id, smallest(all)]))
}

function smallest(texts: readonly string[]): string {
  const [first = '', ...others] = texts
  return others.reduce(
    (least, text) => (Buffer.compare(Buffer.from(text), Buffer.from(least)) < 0 ? text : least),
    first,
  )
}
