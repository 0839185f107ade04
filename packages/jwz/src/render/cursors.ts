import { renderAge } from '@switchyard/cli-kit/age'
import { padColumn, widest } from '@switchyard/cli-kit/columns'
import type { CursorSummary } from '../consumer/schemas.ts'
import { inLine, type Look, paint, renderTime, shortId } from '../text/message-line.ts'

function tabbed({ consumer, topic, id, at, unread }: CursorSummary, look: Look): string {
  return [inLine(consumer, look), inLine(topic, look), id ?? '', at === null ? '' : renderTime(at), unread].join('\t')
}

/**
 * How a consumer's place looks: in columns at a terminal, separated by tabs in a pipe (consumer, topic, last message
 * read, time of the commit, number of messages left).
 */
export function cursorLines(cursors: readonly CursorSummary[], look: Look): (cursor: CursorSummary) => string {
  if (!look.isTerminal) return (cursor) => tabbed(cursor, look)
  const consumerWidth = widest(cursors.map(({ consumer }) => consumer))
  const topicWidth = widest(cursors.map(({ topic }) => topic))
  return ({ consumer, topic, id, at, unread }) =>
    [
      padColumn(consumer, consumerWidth),
      paint(padColumn(topic, topicWidth), 'bold', look),
      unread === 0 ? 'has read all' : `${unread} unread`,
      paint(id === null || at === null ? 'from the start' : `${shortId(id)}  ${renderAge(at, look.now)}`, 'dim', look),
    ].join('  ')
}
