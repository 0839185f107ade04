import { inLine, type Look, paint, paintName, renderAge, renderTime } from './render.ts'
import type { TopicSummary } from './store.ts'

function tabbed({ topic, messages, last_at, last_from }: TopicSummary, look: Look): string {
  const time = last_at === null ? '' : renderTime(last_at)
  return [inLine(topic, look), messages, time, inLine(last_from ?? '', look)].join('\t')
}

function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => text.length))
}

/**
 * How a topic of a list looks: in columns at a terminal, separated by tabs in a pipe (topic, messages, time and sender
 * of the newest).
 */
export function topicLines(topics: readonly TopicSummary[], look: Look): (topic: TopicSummary) => string {
  if (!look.isTerminal) return (topic) => tabbed(topic, look)
  const ageOf = ({ last_at }: TopicSummary) => (last_at === null ? '' : renderAge(last_at, look.now))
  const nameWidth = widest(topics.map(({ topic }) => topic))
  const countWidth = widest(topics.map(({ messages }) => String(messages)))
  const ageWidth = widest(topics.map(ageOf))
  return (topic) =>
    [
      paint(topic.topic.padEnd(nameWidth), 'bold', look),
      String(topic.messages).padStart(countWidth),
      paint(ageOf(topic).padStart(ageWidth), 'dim', look),
      topic.last_from === null ? '' : paintName(topic.last_from, look),
    ].join('  ')
}
