// Checks of what comes from disk or stdin, by hand: zod alone would cost a hot verb more than all its work.
// `test/guard.test.ts` holds them to `src/log/event-schema.ts`.

import { isPlainObject } from '@switchyard/ground/plain-object'
import type { DepKind, KnownEvent, SingleEvent, Status, UnknownEvent } from '../schema/event-schema.ts'
import { basicFields, type Kind, optionalFields } from '../schema/fields.ts'
import type { Finding } from '../schema/schemas.ts'

type Fields = Readonly<Record<string, unknown>>
type Check = (value: unknown) => boolean
type Shape = Readonly<Record<string, Check>>

/** The largest sequence number an event may have. */
export const seqMax = 2 ** 52
const idPattern = /^[a-z0-9][a-z0-9-]*-[0-9a-z]+$/
const issueTypePattern = /^[a-z0-9][a-z0-9_-]*$/

/** Statuses in the order help shows them. */
export const statuses = ['open', 'in_progress', 'paused', 'deferred', 'closed', 'duplicate'] as const satisfies Status[]
/** Kinds of dependency. */
export const depKinds = [
  'blocks',
  'relates',
  'parent',
  'discovered-from',
  'duplicates',
  'supersedes',
  'caused-by',
] as const satisfies DepKind[]
const severities = ['low', 'medium', 'high']

const isText: Check = (value) => typeof value === 'string'
const isFilled: Check = (value) => typeof value === 'string' && value !== ''
const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0
const isPlace: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 1
const isSeq: Check = (value) => isCount(value) && Number(value) <= seqMax
const isPriority: Check = (value) => isPlace(value) && Number(value) <= 5
const isIssueId: Check = (value) => typeof value === 'string' && idPattern.test(value)
const isOne: Check = (value) => value === 1
const isOneOf =
  (words: readonly string[]): Check =>
  (value) =>
    typeof value === 'string' && words.includes(value)
const isListOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check)
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)

const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value)
const isMapOf =
  (check: Check): Check =>
  (value) =>
    isPlainObject(value) && Object.values(value).every(check)
const isShape =
  (shape: Shape): Check =>
  (value) =>
    isPlainObject(value) && fits(value, shape)

/** Whether a word can be the type of an issue. */
export function isIssueType(word: unknown): word is string {
  return typeof word === 'string' && issueTypePattern.test(word)
}

const checkOf: Readonly<Record<Kind, Check>> = {
  line: isFilled,
  text: isText,
  word: isIssueType,
  name: isFilled,
  priority: isPriority,
  moment: isCount,
  span: isCount,
}
const shapeOf = (kinds: Readonly<Record<string, Kind>>, of: (check: Check) => Check): Shape =>
  Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, of(checkOf[kind])]))

const envelope: Shape = { v: isOne, id: isFilled, seq: isSeq, at: isCount, by: isFilled, type: isText }
const issue = { issue: isIssueId, renewal: optional(isShape({ claim: isFilled, until: isCount })) }
const link: Shape = { ...issue, kind: isOneOf(depKinds), target: isIssueId }
const fence = optional(isText)
const ends = optional(isListOf(isFilled))
const replaces = optional(isMapOf(isListOf(isFilled)))

const singleShapes: Readonly<Record<SingleEvent['type'], Shape>> = {
  configured: { prefix: optional(isFilled), settings: optional(isMapOf(orNull(isText))) },
  created: {
    ...issue,
    ...shapeOf(basicFields, (check) => check),
    ...shapeOf(optionalFields, optional),
    // A task does not say that it is one.
    issue_type: optional(isIssueType),
    tags: isListOf(isFilled),
    refs: optional(isListOf(isFilled)),
    meta: optional(isMapOf(isText)),
    blocked_by: optional(isListOf(isIssueId)),
    links: optional(isListOf(isShape({ kind: isOneOf(depKinds), from: isIssueId, to: isIssueId }))),
    key: optional(isFilled),
    finding: optional(isPlainObject),
  },
  edited: {
    ...issue,
    ...shapeOf(basicFields, optional),
    ...shapeOf(optionalFields, (check) => optional(orNull(check))),
    meta: optional(isMapOf(orNull(isText))),
    add_refs: optional(isListOf(isFilled)),
    rm_refs: optional(isListOf(isFilled)),
    replaces,
  },
  status: { ...issue, status: isOneOf(statuses), reason: optional(isText), fence, ends, replaces },
  closed: { ...issue, reason: optional(isText), fence, ends, replaces },
  deleted: { ...issue, expect: isFilled },
  commented: {
    ...issue,
    body: isText,
    origin: optional(isShape({ id: isFilled, by: optional(isFilled), at: optional(isCount) })),
  },
  tagged: { ...issue, tag: isFilled },
  untagged: { ...issue, tag: isFilled },
  linked: link,
  unlinked: link,
  claimed: {
    ...issue,
    until: isCount,
    expect: (value) => value === null || isText(value),
    renews: optional(isText),
    previous: optional(isFilled),
    leases: optional(isListOf(isFilled)),
    supersedes: optional(isListOf(isFilled)),
    replaces,
  },
  confirmed: { ...issue, of: isFilled },
  withdrawn: { ...issue, of: isFilled },
  released: { ...issue, expect: isText, note: optional(isText), to: optional(isFilled), ends, replaces },
  compacted: {
    archive: isFilled,
    dropped: isCount,
    gone: optional(isListOf(isFilled)),
    judged: optional(isListOf(isFilled)),
    bytes: optional(isCount),
  },
}
const singles: ReadonlyMap<string, Shape> = new Map(Object.entries(singleShapes))
const isSingle: Check = (value) => {
  if (!isPlainObject(value) || typeof value['type'] !== 'string') return false
  const shape = singles.get(value['type'])
  return shape !== undefined && fits(value, envelope) && fits(value, shape)
}
const batch: Shape = { events: (value) => Array.isArray(value) && value.length > 0 && value.every(isSingle) }
const details: ReadonlyMap<string, Shape> = new Map([...singles, ['batch', batch]])

const findingShape: Shape = {
  v: isOne,
  type: (value) => value === 'finding',
  id: isFilled,
  rule: isFilled,
  title: isFilled,
  severity: isOneOf(severities),
  path: isFilled,
  line: isPlace,
  column: optional(isPlace),
  message: optional(isText),
  quote: optional(isText),
}

/** Whether a parsed line has the envelope of an event, known or not. */
export function isEvent(fields: Fields): fields is UnknownEvent {
  return fits(fields, envelope)
}

/** Whether a parsed line is an event that this version can fold. */
export function isKnownEvent(fields: Fields): fields is KnownEvent {
  if (!isEvent(fields)) return false
  const shape = details.get(fields.type)
  return shape !== undefined && fits(fields, shape)
}

/** Whether a parsed line is an event that only a later version understands: by its `v`, its type, or one in its batch. */
export function isUnknownEvent(fields: Fields): fields is UnknownEvent {
  const { v, id, type } = fields
  if (isPlace(v) && v !== 1) return isFilled(id) && isText(type)
  if (!isEvent(fields)) return false
  if (fields.type !== 'batch') return !details.has(fields.type)
  const { events }: Fields = fields
  const isRead = (one: unknown) => isPlainObject(one) && (isSingle(one) || isUnknownEvent(one))
  return Array.isArray(events) && !events.every(isSingle) && events.every(isRead)
}

/** What a later version calls its event, for people: by its type, or by the version of the record. */
export function kindOf({ v, type, events }: Fields): string {
  if (v !== 1) return `v${v}`
  const strange = Array.isArray(events) ? events.find((one) => !isSingle(one)) : undefined
  return isPlainObject(strange) ? kindOf(strange) : String(type)
}

/** The `seq` of an event; 0 where a later version has none. */
export function seqIn({ seq }: Fields): number {
  return isSeq(seq) ? Number(seq) : 0
}

/** Whether a parsed line is a finding of `deepscan`. */
export function isFinding(fields: Fields): fields is Finding {
  return fits(fields, findingShape)
}

/** Name of the first field that keeps a parsed line from being a finding, for the message to its sender. */
export function findingFault(fields: Fields): string | undefined {
  return Object.keys(findingShape).find((name) => !findingShape[name]?.(fields[name]))
}

function fits(fields: Fields, shape: Shape): boolean {
  for (const name in shape) {
    if (!shape[name]?.(fields[name])) return false
  }
  return true
}
