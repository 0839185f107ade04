// What happened, in words: one sentence for each event, in a history and on the bus.
import { renderLink } from '../graph/link-text.ts'
import type { SingleEvent } from '../schema/event-schema.ts'
import { fieldNames, flagOf } from '../schema/fields.ts'
import { timeText } from '../text/time-text.ts'
import { fieldText } from './field-lines.ts'

const textLengthMax = 120

/** An event as one line that stands alone: whole ids; its writer is whom the line is from. */
export function renderEvent(event: SingleEvent): string {
  return 'issue' in event ? `${event.issue} ${eventWords(event)}` : eventWords(event)
}

/** What happened, for a line that names the issue and the writer already. `nameOf` gives the form of other ids. */
export function eventWords(event: SingleEvent, nameOf = (id: string) => id): string {
  switch (event.type) {
    case 'configured':
      return `set ${settingsIn(event).join(', ')}`
    case 'compacted':
      return `compacted the log: ${event.dropped} lines are in ${event.archive} only`
    case 'created':
      return `created: ${cut(event.title)}`
    case 'edited':
      return `edited ${editsIn(event).join(', ')}`
    case 'status':
      return `set to ${event.status}${because(event.reason)}`
    case 'closed':
      return `closed${because(event.reason)}`
    case 'deleted':
      return 'deleted'
    case 'commented':
      return `commented: ${cut(event.body)}`
    case 'tagged':
      return `tagged ${event.tag}`
    case 'untagged':
      return `no longer tagged ${event.tag}`
    case 'linked':
    case 'unlinked': {
      const link = renderLink({ kind: event.kind, from: event.issue, to: event.target }, event.issue, nameOf)
      return event.type === 'linked' ? `linked: ${link}` : `no longer linked: ${link}`
    }
    case 'claimed':
      return claimWords(event)
    case 'confirmed':
      return 'claim confirmed'
    case 'withdrawn':
      return `undone: ${event.of} had lost a race`
    case 'released':
      return `released${event.to === undefined ? '' : ` to ${event.to}`}${because(event.note)}`
  }
}

function claimWords({ by, until, renews, previous }: Extract<SingleEvent, { type: 'claimed' }>): string {
  const after = previous === undefined || previous === by ? '' : `, after ${previous},`
  return `${renews === undefined ? 'claimed' : 'kept'}${after} until ${timeText(until)}`
}

/** What an edit wrote, field by field as the flags call them. */
function editsIn(event: Extract<SingleEvent, { type: 'edited' }>): string[] {
  const { meta = {}, add_refs = [], rm_refs = [] } = event
  const fields = fieldNames.flatMap((name) => {
    const value = event[name]
    if (value === undefined) return []
    return `${flagOf[name]} ${value === null ? 'none' : cut(fieldText(name, value))}`
  })
  return [
    ...fields,
    ...Object.entries(meta).map(([name, value]) => `${name}=${value === null ? 'none' : cut(value)}`),
    ...add_refs.map((ref) => `+${ref}`),
    ...rm_refs.map((ref) => `-${ref}`),
  ]
}

function settingsIn({ prefix, settings }: Extract<SingleEvent, { type: 'configured' }>): string[] {
  return Object.entries({ prefix, ...settings }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} ${value ?? 'back to its default'}`],
  )
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
