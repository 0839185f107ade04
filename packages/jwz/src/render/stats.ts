import { renderAge } from '@switchyard/cli-kit/age'
import { counted } from '@switchyard/cli-kit/counted'
import { tableOf } from '@switchyard/cli-kit/table'
import type { Stats } from '../message/stats.ts'
import { inLine, type Look, paint, paintName, renderBytes, renderTime } from '../text/message-line.ts'

/** Rows of topics and of senders at a terminal; a pipe gets all of them. */
const rowsMax = 10

type Row = { name: string; messages: number; last_at: number | null }

/** Totals, then the busiest topics and senders; in a pipe separated by tabs. */
export function renderStats(stats: Stats, look: Look): string {
  const { topics, senders } = stats
  const topicRows = topics.map(({ topic, messages, last_at }) => ({ name: topic, messages, last_at }))
  const senderRows = senders.map(({ from, messages, last_at }) => ({ name: from, messages, last_at }))
  return [
    ...totals(stats),
    ...busiest('topic', topicRows, look, (name) => paint(name, 'bold', look)),
    ...busiest('sender', senderRows, look, (name) => paintName(name, look)),
  ].join('\n')
}

function totals({ store, messages, bytes, segments, files, topics, senders }: Stats): string[] {
  const beside = files.count === 0 ? '' : `, and ${counted(files.count, 'file')} of ${renderBytes(files.bytes)}`
  return [
    `store: ${store}`,
    `messages: ${messages} in ${counted(topics.length, 'topic')}, by ${counted(senders.length, 'sender')}`,
    `size: ${renderBytes(bytes)} in ${counted(segments, 'segment')}${beside}`,
  ]
}

function busiest(kind: string, rows: readonly Row[], look: Look, painted: (name: string) => string): string[] {
  const shown = look.isTerminal ? rows.slice(0, rowsMax) : rows
  const columns = [
    { text: ({ name }: Row) => inLine(name, look), paint: painted },
    { text: ({ messages }: Row) => String(messages), isRight: true },
    {
      text: ({ last_at }: Row) => (last_at === null ? '' : renderAge(last_at, look.now)),
      paint: (age: string) => paint(age, 'dim', look),
    },
  ] as const
  const plain = ({ name, messages, last_at }: Row) => [
    ...[kind, name, messages, last_at === null ? '' : renderTime(last_at)],
  ]
  const lines = shown.map(tableOf(shown, { plain, columns }, look))
  if (!look.isTerminal || rows.length === 0) return lines
  const rest = rows.length - shown.length
  const more = rest > 0 ? [paint(`  and ${rest} more`, 'dim', look)] : []
  return ['', paint(`${kind}s`, 'dim', look), ...lines.map((line) => `  ${line}`), ...more]
}
