import { renderAge } from '@switchyard/cli-kit/age'
import { padColumn, widest } from '@switchyard/cli-kit/columns'
import type { TopicSummary } from '../store/store.ts'
import { inLine, type Look, paint, paintName, renderBytes, renderTime } from '../text/message-line.ts'

function tabbed({ topic, messages, bytes, last_at, last_from }: TopicSummary, look: Look): string {
  const time = last_at === null ? '' : renderTime(last_at)
  return [inLine(topic, look), messages, time, inLine(last_from ?? '', look), bytes].join('\t')
}

/**
 * How a topic of a list looks: in columns at a terminal, separated by tabs in a pipe (topic, messages, time and sender
 * of the newest, bytes).
 */
export function topicLines(topics: readonly TopicSummary[], look: Look): (topic: TopicSummary) => string {
  if (!look.isTerminal) return (topic) => tabbed(topic, look)
  const ageOf = ({ last_at }: TopicSummary) => (last_at === null ? '' : renderAge(last_at, look.now))
  const nameWidth = widest(topics.map(({ topic }) => topic))
  const countWidth = widest(topics.map(({ messages }) => String(messages)))
  const sizeWidth = widest(topics.map(({ bytes }) => renderBytes(bytes)))
  const ageWidth = widest(topics.map(ageOf))
  return (topic) =>
    [
      paint(padColumn(inLine(topic.topic, look), nameWidth), 'bold', look),
      String(topic.messages).padStart(countWidth),
      paint(renderBytes(topic.bytes).padStart(sizeWidth), 'dim', look),
      paint(ageOf(topic).padStart(ageWidth), 'dim', look),
      topic.last_from === null ? '' : paintName(inLine(topic.last_from, look), look),
    ].join('  ')
}
