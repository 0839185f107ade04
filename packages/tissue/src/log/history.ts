// What happened, event by event, and what became of it.

import { isKnownEvent } from '../schema/event.check.ts'
import type { SingleEvent, UnknownEvent } from '../schema/event-schema.ts'
import type { Past } from '../schema/schemas.ts'
import { applyRecord, emptyLedger, isVoid, type Ledger, settle } from './fold.ts'
import { metaField, singleFields } from './issue-state.ts'
import { isUnknownEvent, seqIn } from './later-event.ts'
import { isLater } from './register.ts'
import { singlesOf } from './write-lines.ts'

type Known = { readonly event: SingleEvent; readonly isStrange: false }
type Strange = { readonly event: UnknownEvent; readonly isStrange: true }
/** An event that was read for the first time; `isArchived` while it was met in an archive only. */
export type Read = (Known | Strange) & { isArchived: boolean }

type Fields = Readonly<Record<string, unknown>>

/** Folds record after record; each gives the events that are new with it, those of a batch one by one. */
function historyReader(): { ledger: Ledger; read: (record: Fields) => Read[] } {
  const ledger = emptyLedger()
  const seen = new Set<string>()
  const isNew = ({ id }: { readonly id: string }) => seen.size < seen.add(id).size
  const read = (record: Fields): Read[] => {
    // What a compaction took out has happened all the same.
    const isKnown = isKnownEvent(record)
    if (!isKnown || record.type !== 'compacted') applyRecord(ledger, record)
    settle(ledger)
    if (isKnown) {
      const events = isNew(record) ? singlesOf(record) : []
      const news = record.type === 'batch' ? events.filter(isNew) : events
      return news.map((event) => ({ event, isStrange: false, isArchived: false }))
    }
    if (!isUnknownEvent(record) || !isNew(record)) return []
    return [{ event: strange(record), isStrange: true, isArchived: false }]
  }
  return { ledger, read }
}

/** What can be shown of an event of a later version, whatever it has. */
function strange(record: UnknownEvent): UnknownEvent {
  const { at, by }: Fields = record
  return { ...record, seq: seqIn(record), at: typeof at === 'number' ? at : 0, by: typeof by === 'string' ? by : '?' }
}

/** All that archives and log say, each event once. */
export function readPast(lines: Iterable<{ record: Fields; isArchived: boolean }>) {
  const { ledger, read } = historyReader()
  const events: Read[] = []
  const byLine = new Map<unknown, Read[]>()
  for (const { record, isArchived } of lines) {
    const found = read(record).map((one) => ({ ...one, isArchived }))
    events.push(...found)
    if (isArchived) byLine.set(record['id'], found)
    else for (const one of byLine.get(record['id']) ?? []) one.isArchived = false
  }
  return { ledger, read, events }
}

/** Whether an event is about this issue, be it at the other end of a link. */
export function isAbout(event: Readonly<Record<string, unknown>>, id: string): boolean {
  const { issue, target, blocked_by, links } = event
  if (issue === id || target === id) return true
  const blockers: unknown[] = Array.isArray(blocked_by) ? blocked_by : []
  const ends: unknown[] = Array.isArray(links) ? links.flatMap((link) => [link?.from, link?.to]) : []
  return blockers.includes(id) || ends.includes(id)
}

/** These events in the order of who saw whom, with what each of them lost. `ledger` is the fold of all of them. */
export function pastOf(events: readonly Read[], ledger: Ledger): Past[] {
  const losses = lossesIn(events, ledger)
  return [...events]
    .sort((a, b) => (isLater(a.event, b.event) ? 1 : -1))
    .map(({ event, isStrange, isArchived }) => {
      const lost = losses.get(event.id)
      const verdict = isStrange ? 'unknown' : isVoid(ledger, event) ? 'void' : 'applied'
      return {
        v: 1,
        event,
        verdict,
        ...(lost ? { lost: Object.fromEntries(lost) } : {}),
        ...(isArchived ? { archived: true } : {}),
      }
    })
}

/** By event and field: the write of another clone to which it lost, whether somebody has settled that since or not. */
function lossesIn(events: readonly Read[], ledger: Ledger): Map<string, Map<string, string>> {
  const byId = new Map(events.map(({ event }) => [event.id, event]))
  const losses = new Map<string, Map<string, string>>()
  const note = (ids: readonly string[], field: string) => {
    const sides = ids.flatMap((id) => byId.get(id) ?? []).sort((a, b) => (isLater(a, b) ? -1 : 1))
    const [winner, ...losers] = sides
    if (!winner) return
    for (const loser of losers) {
      if (valueIn(loser, field) === valueIn(winner, field)) continue
      losses.set(loser.id, (losses.get(loser.id) ?? new Map<string, string>()).set(field, winner.id))
    }
  }
  for (const { event } of events) {
    if (!('replaces' in event) || typeof event.replaces !== 'object') continue
    for (const [field, ids] of Object.entries(event.replaces ?? {})) if (Array.isArray(ids)) note(ids, field)
  }
  for (const { fields, meta } of ledger.issues.values()) {
    for (const name of singleFields) note(headIds(fields[name]), name)
    for (const [name, register] of meta) note(headIds(register), metaField(name))
  }
  return losses
}

function headIds(register: { id: string; rivals?: readonly { id: string }[] } | undefined): string[] {
  return register?.rivals ? [register.id, ...register.rivals.map(({ id }) => id)] : []
}

/** What an event wrote into a field, as text. */
function valueIn(event: SingleEvent | UnknownEvent, field: string): string {
  const values: Record<string, unknown> = { ...event }
  if (field === 'status') return statusAfter(event.type, values)
  if (field === 'assignee' && event.type === 'released') return JSON.stringify(values['to'])
  const meta = values['meta']
  const isMeta = field.startsWith(metaField('')) && typeof meta === 'object' && meta !== null
  return JSON.stringify(
    isMeta ? Object.entries(meta).find(([name]) => metaField(name) === field)?.[1] : ownValue(values, field),
  )
}

const ownValue = (values: Readonly<Record<string, unknown>>, field: string) =>
  Object.hasOwn(values, field) ? values[field] : undefined

function statusAfter(type: string, { status }: Readonly<Record<string, unknown>>): string {
  if (type === 'claimed') return 'in_progress'
  if (type === 'closed') return 'closed'
  return type === 'status' ? String(status) : 'open'
}
