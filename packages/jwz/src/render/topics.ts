import { renderAge } from '@switchyard/cli-kit/age'
import { tableOf } from '@switchyard/cli-kit/table'
import type { TopicSummary } from '../store/store.ts'
import { inLine, type Look, paint, paintName, renderBytes, renderTime } from '../text/message-line.ts'

/** How a topic of a list looks: in a pipe topic, messages, time and sender of the newest, and bytes. */
export function topicLines(topics: readonly TopicSummary[], look: Look): (topic: TopicSummary) => string {
  const dim = (text: string) => paint(text, 'dim', look)
  const columns = [
    { text: ({ topic }: TopicSummary) => inLine(topic, look), paint: (text: string) => paint(text, 'bold', look) },
    { text: ({ messages }: TopicSummary) => String(messages), isRight: true },
    { text: ({ bytes }: TopicSummary) => renderBytes(bytes), paint: dim, isRight: true },
    {
      text: ({ last_at }: TopicSummary) => (last_at === null ? '' : renderAge(last_at, look.now)),
      paint: dim,
      isRight: true,
    },
    {
      text: ({ last_from }: TopicSummary) => inLine(last_from ?? '', look),
      paint: (text: string) => paintName(text, look),
    },
  ] as const
  const plain = ({ topic, messages, bytes, last_at, last_from }: TopicSummary) => [
    ...[topic, messages, last_at === null ? '' : renderTime(last_at), last_from ?? '', bytes],
  ]
  return tableOf(topics, { plain, columns }, look)
}
