// The bus hears of each change after the log has it, under the event's own id, at least once; readers drop what they
// hear again.
import { parseRecord, readLinesBackwards } from '@switchyard/jsonl'
import { type Draft, postMessages, readMessagesBackwards, type Store } from '@switchyard/topic'
import { type ClaimStart, isClaimStart } from '../log/rivals.ts'
import { singlesOf } from '../log/write-lines.ts'
import { renderEvent } from '../render/event.ts'
import { isKnownEvent } from '../schema/event.check.ts'
import type { SingleEvent } from '../schema/event-schema.ts'
import { dropNote, type Outbox, readNote } from './outbox.ts'

/**
 * A message's fields have to stay far below the 32 KB of a line; a longer event is named and left to be read from the
 * log.
 */
const dataLengthMax = 16_000
/** Clocks of writers may be so far apart; what stands further back on a topic is older than the event. */
const clockSlackMs = 60_000

/**
 * Posts each event to `tissue:feed` and `issue:<id>`, and before them those that earlier writers have noted and not
 * posted. The log has been flushed to the disk; the feed need not be.
 */
export async function publishEvents(
  bus: Store,
  log: string,
  events: readonly SingleEvent[],
  outbox: Outbox | undefined,
): Promise<void> {
  const notes = (outbox?.others ?? []).flatMap((path) => {
    const ids = readNote(path)
    return ids === undefined ? [] : [{ path, ids }]
  })
  if (notes.length > 0) {
    await post(bus, eventsIn(log, new Set(notes.flatMap(({ ids }) => ids))), { isRepair: true })
    for (const { path } of notes) dropNote(path)
  }
  // A later writer that took us for dead has published ours, unless we find our own note.
  await post(bus, events, { isRepair: outbox !== undefined && readNote(outbox.own) === undefined })
  if (outbox) dropNote(outbox.own)
}

/** The events of these lines of the log, in its order. A line that is not there was never written. */
function eventsIn(log: string, ids: ReadonlySet<string>): SingleEvent[] {
  const wanted = new Set(ids)
  const found: SingleEvent[][] = []
  // A claim is confirmed, and an act taken back, behind its own line, which is met later here.
  const confirmed = new Set<string>()
  const withdrawn = new Set<string>()
  for (const line of readLinesBackwards(log)) {
    if (/"type":"(?:confirmed|withdrawn)"/.test(line.text)) noteFate(parseRecord(line), confirmed, withdrawn)
    const [, id] = /"id":"([^"]+)"/.exec(line.text) ?? []
    if (id === undefined || !wanted.delete(id)) continue
    const record = parseRecord(line)
    if (!record || !isKnownEvent(record)) continue
    found.push(
      singlesOf(record).filter((one) => !withdrawn.has(one.id) && (!isClaimStart(one) || isNews(one, confirmed))),
    )
    if (wanted.size === 0) break
  }
  return found.reverse().flat()
}

function noteFate(record: Record<string, unknown> | undefined, confirmed: Set<string>, withdrawn: Set<string>): void {
  if (!record || !isKnownEvent(record)) return
  for (const event of singlesOf(record)) {
    if (event.type === 'confirmed') confirmed.add(event.of)
    if (event.type === 'withdrawn') withdrawn.add(event.of)
  }
}

/** A claim of a former version needs no confirmation. */
function isNews({ id, supersedes }: ClaimStart, confirmed: ReadonlySet<string>): boolean {
  return supersedes === undefined || confirmed.has(id)
}

async function post(bus: Store, events: readonly SingleEvent[], { isRepair }: { isRepair: boolean }): Promise<void> {
  for (const [topic, ofTopic] of group(events, topicsOf)) {
    const missing = isRepair ? notOn(bus, topic, ofTopic) : ofTopic
    // A message follows from its event alone, its time too: two who post the same one post the same bytes.
    for (const [at, simultaneous] of group(missing, (event) => [event.at]))
      await postMessages(bus, topic, simultaneous.map(messageOf), at, { durable: false })
  }
}

function notOn(bus: Store, topic: string, events: readonly SingleEvent[]): SingleEvent[] {
  const missing = new Map(events.map((event) => [event.id, event]))
  const earliest = Math.min(...events.map(({ at }) => at)) - clockSlackMs
  for (const { message } of readMessagesBackwards(bus, topic)) {
    missing.delete(message.id)
    if (missing.size === 0 || message.at < earliest) break
  }
  return [...missing.values()]
}

function topicsOf(event: SingleEvent): string[] {
  return 'issue' in event ? ['tissue:feed', `issue:${event.issue}`] : ['tissue:feed']
}

/** The events under each of their keys, in the order in which they came. */
function group<K>(events: readonly SingleEvent[], keysOf: (event: SingleEvent) => readonly K[]): Map<K, SingleEvent[]> {
  const groups = new Map<K, SingleEvent[]>()
  for (const event of events) {
    for (const key of keysOf(event)) {
      const others = groups.get(key)
      if (others) others.push(event)
      else groups.set(key, [event])
    }
  }
  return groups
}

function messageOf(event: SingleEvent): Omit<Draft, 'topic'> {
  return { id: event.id, from: event.by, body: renderEvent(event), data: dataOf(event) }
}

function dataOf(event: SingleEvent): unknown {
  if (JSON.stringify(event).length <= dataLengthMax) return event
  const { v, id, seq, at, by, type } = event
  return { v, id, seq, at, by, type, cut: true, ...('issue' in event ? { issue: event.issue } : {}) }
}
