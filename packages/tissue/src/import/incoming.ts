// What comes in on stdin: findings of `deepscan`, or events that another store exported.
import { isTooDeep, parseRecord } from '@switchyard/jsonl'
import { draftsOfNew, type IdSource, type NewIssue } from '../change/new-issue.ts'
import { findKeyed } from '../issue/issue.ts'
import type { Draft, ForeignLine } from '../log/draft.ts'
import type { Ledger } from '../log/fold.ts'
import { isUnknownEvent, kindOf } from '../log/later-event.ts'
import { refuseLater } from '../log/refuse-later.ts'
import { findingFields, isEvent, isFinding, isKnownEvent } from '../schema/event.check.ts'
import type { Finding } from '../schema/schemas.ts'
import { openFaults } from '../text/faults.ts'
import { refuseConflict } from './conflict-marker.ts'
import { decideReturned, findingKeyPrefix } from './missing.ts'

/**
 * How far above the largest sequence number a foreign one may be; a poisoned one would stop all later edits from
 * winning.
 */
const seqLeapMax = 2 ** 32
const lineLengthMax = 32 * 1024 * 1024
const expected = 'findings or events, one a line'
const priorities = { high: 1, medium: 2, low: 3 } as const

type IncomingEvent = ForeignLine & { readonly at: number }
/** The lines of an import, all of them valid. */
export type Incoming = { readonly findings: readonly Finding[]; readonly events: readonly IncomingEvent[] }

/** Idempotency key of a finding: the same finding twice makes one issue. */
export function keyOf({ id }: Finding): string {
  return findingKeyPrefix + id
}

/**
 * Parses the lines of an import. Exits 2, naming the lines, when one of them is neither a finding nor an event,
 * 7 when one is an event of a later version.
 */
export function parseImport(lines: Iterable<string>): Incoming {
  const findings: Finding[] = []
  const events: IncomingEvent[] = []
  const faults = openFaults(expected)
  const later = new Set<string>()
  let number = 0
  for (const line of lines) {
    number += 1
    if (line.trim() === '') continue
    refuseConflict(line, number)
    if (line.length > lineLengthMax) {
      faults.add(`line ${number} is longer than ${lineLengthMax} characters`)
      continue
    }
    // A finding is kept inside an event, one level deeper.
    const record = isTooDeep(`[${line}]`) ? undefined : parseRecord({ text: line })
    if (record && isFinding(record)) findings.push(record)
    else if (record && isUnknownEvent(record)) later.add(kindOf(record))
    else if (record && isKnownEvent(record)) {
      events.push({ id: record.id, seq: record.seq, type: record.type, line, at: number })
    } else faults.add(`line ${number} ${record ? faultOf(record) : 'is no JSON object'}`)
  }
  faults.refuse()
  refuseLater({ later })
  return { findings, events }
}

/**
 * What brings these lines into the log: events that are not there yet, then an issue for each finding that has none.
 * `texts` leads from event ids to the lines in the log. Exits 2 when an event is there with other content, or its seq
 * leaps.
 */
export function decideImport(
  ledger: Ledger,
  { findings, events }: Incoming,
  texts: ReadonlyMap<string, string>,
  source: IdSource,
): (Draft | ForeignLine)[] {
  const news = new Map<string, IncomingEvent>()
  const faults = openFaults(expected)
  for (const event of events) {
    const known = news.get(event.id)?.line ?? texts.get(event.id)
    if (known !== undefined && known !== event.line)
      faults.add(`line ${event.at} has other content than event ${event.id} before it`)
    if (event.seq > ledger.maxSeq + seqLeapMax)
      faults.add(`line ${event.at} has a seq of ${event.seq}, far above ${ledger.maxSeq}`)
    if (known === undefined && !ledger.seen.has(event.id) && !ledger.gone.has(event.id)) news.set(event.id, event)
  }
  faults.refuse()
  const issues = new Map<string, NewIssue>()
  for (const finding of findings) {
    const key = keyOf(finding)
    if (findKeyed(ledger, key) === undefined && !issues.has(key)) issues.set(key, issueOf(finding, key))
  }
  return [
    ...news.values(),
    ...draftsOfNew(ledger, [...issues.values()], source),
    ...decideReturned(ledger, findings.map(keyOf)),
  ]
}

/** An issue out of a finding: where, what, and the quote; the finding itself is kept whole. */
export function issueOf(finding: Finding, key: string): NewIssue {
  const { rule, title, severity, path, line, column, message, quote } = finding
  const place = column === undefined ? `${path}:${line}` : `${path}:${line}:${column}`
  const parts = [message, place, quote === undefined ? undefined : indent(quote)]
  return {
    title: `${title} in ${path}:${line}`.replace(/\s+/g, ' '),
    body: parts.filter((part) => part !== undefined).join('\n\n'),
    priority: priorities[severity],
    tags: ['deepscan', rule],
    key,
    finding,
  }
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')
}

/** Name of the first field that keeps a record from being a finding, for the message to its sender. */
function wrongField(record: Record<string, unknown>): string | undefined {
  return Object.entries(findingFields).find(([name, isRight]) => !isRight(record[name]))?.[0]
}

function faultOf(record: Record<string, unknown>): string {
  if (record['type'] === 'finding') return `is a finding with a wrong or missing ${wrongField(record)}`
  if (isEvent(record)) return `is an event of type ${record.type} with a wrong or missing field`
  return 'is neither a finding nor an event'
}
