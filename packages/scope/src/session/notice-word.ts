import type { NoticeWord } from '../notice-words.ts'
import type { SessionEvent } from './event-schema.ts'
import { parentOf } from './session-id.ts'

/**
 * What a user may be told of an event; undefined where it is not worth it. The end of a session that another one has
 * started is that one's to know; who needs input needs it wherever it stands.
 */
export function noticeWordOf(event: SessionEvent): NoticeWord | undefined {
  if (event.event === 'turn') return event.turn === 'needs_input' ? 'needs_input' : undefined
  if (parentOf(event.session) !== undefined) return undefined
  switch (event.event) {
    case 'failed':
      return event.limit !== undefined || event.verdict === 'max_iterations' ? 'limit' : 'failed'
    case 'done':
    case 'exited':
    case 'aborted':
      return event.event
    default:
      return undefined
  }
}
