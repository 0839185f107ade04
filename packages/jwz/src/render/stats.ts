import { renderAge } from '@switchyard/cli-kit/age'
import { gapBehind, widest } from '@switchyard/cli-kit/columns'
import { counted } from '@switchyard/cli-kit/counted'
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
  const table = look.isTerminal ? columns : tabbed
  return [
    ...totals(stats),
    ...table('topic', topicRows, look, (name) => paint(name, 'bold', look)),
    ...table('sender', senderRows, look, (name) => paintName(name, look)),
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

function tabbed(kind: string, rows: readonly Row[], look: Look): string[] {
  return rows.map(({ name, messages, last_at }) =>
    [kind, inLine(name, look), messages, last_at === null ? '' : renderTime(last_at)].join('\t'),
  )
}

function columns(kind: string, rows: readonly Row[], look: Look, painted: (name: string) => string): string[] {
  if (rows.length === 0) return []
  const shown = rows.slice(0, rowsMax)
  const width = widest(shown.map(({ name }) => inLine(name, look)))
  const countWidth = widest(shown.map(({ messages }) => String(messages)))
  const lines = shown.map(({ name, messages, last_at }) => {
    const age = last_at === null ? '' : paint(renderAge(last_at, look.now), 'dim', look)
    const gap = gapBehind(inLine(name, look), width)
    return `  ${painted(inLine(name, look))}${gap}  ${String(messages).padStart(countWidth)}  ${age}`
  })
  const rest = rows.length - shown.length
  const more = rest > 0 ? [paint(`  and ${rest} more`, 'dim', look)] : []
  return ['', paint(`${kind}s`, 'dim', look), ...lines, ...more]
}
