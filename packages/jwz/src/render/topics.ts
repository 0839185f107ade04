import { renderAge } from '@switchyard/cli-kit/age'
import { counted } from '@switchyard/cli-kit/counted'
import { tableOf } from '@switchyard/cli-kit/table'
import type { TopicSummary } from '../message/topic-summary.ts'
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

/** What all topics of a list come to, and the files beside them. */
export function renderTotals(topics: readonly TopicSummary[], files: { count: number; bytes: number }): string {
  const sum = (of: (topic: TopicSummary) => number) => topics.reduce((total, topic) => total + of(topic), 0)
  const [messages, segments, bytes] = [
    sum((topic) => topic.messages),
    sum((topic) => topic.segments),
    sum((topic) => topic.bytes),
  ]
  const beside = files.count === 0 ? '' : `, and ${counted(files.count, 'file')} of ${renderBytes(files.bytes)}`
  return `${counted(messages, 'message')} in ${counted(topics.length, 'topic')}: ${renderBytes(bytes)} in ${counted(segments, 'segment')}${beside}`
}
