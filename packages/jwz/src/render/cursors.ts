import { renderAge } from '@switchyard/cli-kit/age'
import { tableOf } from '@switchyard/cli-kit/table'
import type { CursorSummary } from '../consumer/schemas.ts'
import { inLine, type Look, paint, renderTime, shortId } from '../text/message-line.ts'

/** How a consumer's place looks: in a pipe consumer, topic, last message read, time of the commit and messages left. */
export function cursorLines(cursors: readonly CursorSummary[], look: Look): (cursor: CursorSummary) => string {
  const columns = [
    { text: ({ consumer }: CursorSummary) => inLine(consumer, look) },
    { text: ({ topic }: CursorSummary) => inLine(topic, look), paint: (text: string) => paint(text, 'bold', look) },
    { text: ({ unread }: CursorSummary) => (unread === 0 ? 'has read all' : `${unread} unread`) },
    {
      text: ({ id, at }: CursorSummary) =>
        id === null || at === null ? 'from the start' : `${shortId(id)}  ${renderAge(at, look.now)}`,
      paint: (text: string) => paint(text, 'dim', look),
    },
  ]
  const plain = ({ consumer, topic, id, at, unread }: CursorSummary) => [
    ...[consumer, topic, id ?? '', at === null ? '' : renderTime(at), unread],
  ]
  return tableOf(cursors, { plain, columns }, look)
}
