import type { RelayEvent } from './event-schema.ts'

function messages(count: number): string {
  return count === 1 ? '1 message' : `${count} messages`
}

/** An event as a line for people. */
export function renderEvent(event: RelayEvent): string {
  switch (event.event) {
    case 'connected':
      return `connected to ${event.server}, stream ${event.stream}`
    case 'disconnected':
      return `${event.reason}; trying again in ${(event.retry_ms / 1000).toFixed(1)} s`
    case 'sent':
      return `${event.topic}: sent ${messages(event.ids.length)}`
    case 'received':
      return `${event.topic}: received ${messages(event.ids.length)}`
    case 'skipped':
      return `${event.topic}: skipped one: ${event.reason}`
    case 'missed':
      return `the stream dropped messages ${event.from} to ${event.to} before they came here`
    case 'level':
      return `level: sent ${event.sent}, received ${event.received}, skipped ${event.skipped}`
  }
}
