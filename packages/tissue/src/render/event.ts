// Events as sentences, for the bus.

import { renderLink } from '../graph/link-text.ts'
import type { SingleEvent } from '../schema/event-schema.ts'
import { timeText } from '../text/time-text.ts'

/** One line that says what happened to which issue. */
export function renderEvent(event: SingleEvent): string {
  switch (event.type) {
    case 'configured':
      return event.prefix === undefined ? 'settings changed' : `new issues are called ${event.prefix}-…`
    case 'compacted':
      return `log compacted, ${event.dropped} lines dropped`
    case 'deleted':
      return `${event.issue} deleted`
    case 'created':
      return `${event.issue} created: ${event.title}`
    case 'edited':
      return `${event.issue} edited`
    case 'status':
      return `${event.issue} is ${event.status}${event.reason === undefined ? '' : `: ${event.reason}`}`
    case 'closed':
      return `${event.issue} closed${event.reason === undefined ? '' : `: ${event.reason}`}`
    case 'commented':
      return `${event.issue} commented`
    case 'tagged':
      return `${event.issue} tagged ${event.tag}`
    case 'untagged':
      return `${event.issue} no longer tagged ${event.tag}`
    case 'linked':
      return renderLink({ kind: event.kind, from: event.issue, to: event.target })
    case 'unlinked':
      return `no longer: ${renderLink({ kind: event.kind, from: event.issue, to: event.target })}`
    case 'claimed':
      return `${event.issue} ${takingText(event)} until ${timeText(event.until)}`
    case 'confirmed':
      return `${event.issue} is held by ${event.by}`
    case 'withdrawn':
      return `${event.issue}: ${event.by} took back what had lost a race`
    case 'released':
      return `${event.issue} released by ${event.by}${event.to === undefined ? '' : ` to ${event.to}`}`
  }
}

function takingText({ by, renews, previous }: Extract<SingleEvent, { type: 'claimed' }>): string {
  if (renews !== undefined) return `kept by ${by}`
  return `claimed by ${by}${previous === undefined || previous === by ? '' : `, after ${previous},`}`
}
