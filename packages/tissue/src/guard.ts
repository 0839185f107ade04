// Checks of what comes from disk or stdin, by hand: zod alone would cost a hot verb more than all its work.
// `test/guard.test.ts` holds them to `src/schemas.ts`.
import type { DepKind, Finding, KnownEvent, Status, UnknownEvent } from './schemas.ts'

type Fields = Readonly<Record<string, unknown>>
type Check = (value: unknown) => boolean
type Shape = Readonly<Record<string, Check>>

/** The largest sequence number an event may have. */
export const seqMax = 2 ** 52
const idPattern = /^[a-z0-9][a-z0-9-]*-[0-9a-z]+$/

/** Statuses in the order help shows them. */
export const statuses = ['open', 'in_progress', 'paused', 'deferred', 'closed', 'duplicate'] as const satisfies Status[]
/** Kinds of dependency. */
export const depKinds = ['blocks', 'relates', 'parent'] as const satisfies DepKind[]
const severities = ['low', 'medium', 'high']

const isText: Check = (value) => typeof value === 'string'
const isFilled: Check = (value) => typeof value === 'string' && value !== ''
const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0
const isPlace: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 1
const isSeq: Check = (value) => isCount(value) && Number(value) <= seqMax
const isPriority: Check = (value) => isPlace(value) && Number(value) <= 5
const isIssueId: Check = (value) => typeof value === 'string' && idPattern.test(value)
const isOne: Check = (value) => value === 1
const isObject: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
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

const envelope: Shape = { v: isOne, id: isFilled, seq: isSeq, at: isCount, by: isFilled, type: isText }
const link: Shape = { issue: isIssueId, kind: isOneOf(depKinds), target: isIssueId }
const fence = optional(isText)

const shapes: Readonly<Record<KnownEvent['type'], Shape>> = {
  configured: { prefix: isFilled },
  created: {
    issue: isIssueId,
    title: isFilled,
    body: isText,
    priority: isPriority,
    tags: isListOf(isFilled),
    blocked_by: optional(isListOf(isIssueId)),
    key: optional(isFilled),
    finding: optional(isObject),
  },
  edited: { issue: isIssueId, title: optional(isFilled), body: optional(isText), priority: optional(isPriority) },
  status: { issue: isIssueId, status: isOneOf(statuses), fence },
  closed: { issue: isIssueId, reason: optional(isText), fence },
  commented: { issue: isIssueId, body: isText },
  tagged: { issue: isIssueId, tag: isFilled },
  untagged: { issue: isIssueId, tag: isFilled },
  linked: link,
  unlinked: link,
  claimed: {
    issue: isIssueId,
    until: isCount,
    expect: (value) => value === null || isText(value),
    renews: optional(isText),
  },
  released: { issue: isIssueId, expect: isText, note: optional(isText) },
}
const details: ReadonlyMap<string, Shape> = new Map(Object.entries(shapes))

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

/** Whether a parsed line is an event of a type that this version has never heard of. */
export function isUnknownEvent(fields: Fields): fields is UnknownEvent {
  return isEvent(fields) && !details.has(fields.type)
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
