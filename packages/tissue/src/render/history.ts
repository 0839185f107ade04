// The past for people, a line an event.

import type { Shown } from '@switchyard/cli-kit'
import { inRow } from '@switchyard/cli-kit/in-row'
import { isKnownEvent } from '../schema/event.check.ts'
import type { SingleEvent } from '../schema/event-schema.ts'
import type { Past } from '../schema/schemas.ts'
import { timeText } from '../text/time-text.ts'
import { eventWords } from './event.ts'

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
  const said = known ? eventWords(known, short) : type
  const place = typeof issue === 'string' ? [short(issue)] : []
  const words = notes.length > 0 ? `${said}  (${notes.join('; ')})` : said
  const line = inRow([timeText(at), ...place, by, words].join('  '))
  const body = full && known ? bodyIn(known) : undefined
  return body === undefined || body === '' ? line : `${line}\n${indented(body)}`
}

function bodyIn(event: SingleEvent): string | undefined {
  if (event.type === 'created' || event.type === 'edited' || event.type === 'commented') return event.body
  if (event.type === 'released') return event.note
  return undefined
}

function indented(text: string): string {
  return text.trimEnd().replace(/^/gm, '    ')
}
