// What happened, as sentences for people.

import type { Shown } from '@switchyard/cli-kit'
import { inRow } from '@switchyard/cli-kit/in-row'
import { renderLink } from '../graph/link-text.ts'
import { isKnownEvent } from '../schema/event.check.ts'
import type { SingleEvent } from '../schema/event-schema.ts'
import type { Past } from '../schema/schemas.ts'
import { timeText } from '../text/time-text.ts'

const textLengthMax = 60

/** How an event of the past is shown: a line, with bodies below it when `full`. */
export function shownPast(short: (id: string) => string, full: boolean): Shown<Past> {
  return { text: (past) => renderPast(past, short, full), id: ({ event }) => event.id }
}

function renderPast({ event, verdict, lost = {} }: Past, short: (id: string) => string, full: boolean): string {
  const { at, by, type } = event
  const issue = event['issue']
  const known = isKnownEvent(event) && event.type !== 'batch' ? event : undefined
  const notes = Object.entries(lost).map(([field, winner]) => `${field} lost to ${winner}`)
  if (verdict === 'void') notes.push('void: another was first')
  if (verdict === 'unknown') notes.push('of a later version')
  const said = known ? sentenceOf(known, short) : type
  const place = typeof issue === 'string' ? [short(issue)] : []
  const words = notes.length > 0 ? `${said}  (${notes.join('; ')})` : said
  const line = inRow([timeText(at), ...place, by, words].join('  '))
  const body = full && known ? bodyIn(known) : undefined
  return body === undefined || body === '' ? line : `${line}\n${indented(body)}`
}

function sentenceOf(event: SingleEvent, short: (id: string) => string): string {
  switch (event.type) {
    case 'configured':
      return `set ${Object.entries({ prefix: event.prefix, ...event.settings })
        .flatMap(setting)
        .join(', ')}`
    case 'compacted':
      return `compacted the log: ${event.dropped} lines are in ${event.archive} only`
    case 'created':
      return `created: ${cut(event.title)}`
    case 'edited':
      return `edited ${editsIn(event).join(', ')}`
    case 'status':
      return `${event.status}${because(event.reason)}`
    case 'closed':
      return `closed${because(event.reason)}`
    case 'deleted':
      return 'deleted'
    case 'commented':
      return `commented: ${cut(event.body)}`
    case 'tagged':
      return `tagged ${event.tag}`
    case 'untagged':
      return `untagged ${event.tag}`
    case 'linked':
    case 'unlinked': {
      const link = renderLink({ kind: event.kind, from: short(event.issue), to: short(event.target) })
      return event.type === 'linked' ? `linked: ${link}` : `no longer: ${link}`
    }
    case 'claimed':
      return claimText(event)
    case 'confirmed':
      return 'confirmed the claim'
    case 'withdrawn':
      return `took back ${event.of}, which had lost a race`
    case 'released':
      return `released${event.to === undefined ? '' : ` to ${event.to}`}${because(event.note)}`
  }
}

function claimText({ until, renews, previous }: Extract<SingleEvent, { type: 'claimed' }>): string {
  const from = previous === undefined ? '' : `, after ${previous}`
  return `${renews === undefined ? 'claimed' : 'keeps it'} until ${timeText(until)}${from}`
}

function editsIn(event: Extract<SingleEvent, { type: 'edited' }>): string[] {
  const { v: _v, id: _id, seq: _seq, at: _at, by: _by, type: _type, issue: _issue, ...rest } = event
  const { renewal: _renewal, replaces: _replaces, meta = {}, add_refs = [], rm_refs = [], ...fields } = rest
  return [
    ...Object.entries(fields).map(([name, value]) => `${name} ${value === null ? 'none' : cut(String(value))}`),
    ...Object.entries(meta).map(([name, value]) => `${name}=${value === null ? 'none' : cut(value)}`),
    ...add_refs.map((ref) => `+${ref}`),
    ...rm_refs.map((ref) => `-${ref}`),
  ]
}

function setting([name, value]: readonly [string, string | null | undefined]): string[] {
  return value === undefined ? [] : [`${name} ${value ?? 'back to its default'}`]
}

function because(text: string | undefined): string {
  return text === undefined ? '' : `: ${cut(text)}`
}

/** The first line of a text, or as much of it as fits. */
function cut(text: string): string {
  const [first = ''] = text.trimStart().split('\n')
  const line = first.trimEnd()
  return line.length <= textLengthMax && line === text.trim() ? line : `${line.slice(0, textLengthMax)}…`
}

function bodyIn(event: SingleEvent): string | undefined {
  if (event.type === 'created' || event.type === 'edited' || event.type === 'commented') return event.body
  if (event.type === 'released') return event.note
  return undefined
}

function indented(text: string): string {
  return text.trimEnd().replace(/^/gm, '    ')
}
