// Events that only a later version understands: they are kept, and passed over.
import { isPlainObject } from '@switchyard/ground/plain-object'
import { eventTypes, isEvent, isLaterRecord, isSequence, isSingleEvent } from '../schema/event.check.ts'
import type { UnknownEvent } from '../schema/event-schema.ts'

type Fields = Readonly<Record<string, unknown>>

/** Whether a parsed line is an event that only a later version understands: by its `v`, its type, or one in its batch. */
export function isUnknownEvent(fields: Fields): fields is UnknownEvent {
  if (isLaterRecord(fields)) return true
  if (!isEvent(fields)) return false
  if (fields.type !== 'batch') return !eventTypes.includes(fields.type)
  const { events }: Fields = fields
  const isRead = (one: unknown) => isPlainObject(one) && (isSingleEvent(one) || isUnknownEvent(one))
  return Array.isArray(events) && !events.every(isSingleEvent) && events.every(isRead)
}

/** What a later version calls its event, for people: by its type, or by the version of the record. */
export function kindOf({ v, type, events }: Fields): string {
  if (v !== 1) return `v${v}`
  const strange = Array.isArray(events) ? events.find((one) => !isSingleEvent(one)) : undefined
  return isPlainObject(strange) ? kindOf(strange) : String(type)
}

/** The `seq` of an event; 0 where a later version has none. */
export function seqIn({ seq }: Fields): number {
  return isSequence(seq) ? seq : 0
}
