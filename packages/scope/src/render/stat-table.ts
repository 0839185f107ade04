// Sums of sessions as a table.
import { renderSpan } from '@switchyard/cli-kit/age'
import { counted } from '@switchyard/cli-kit/counted'
import type { Table } from '@switchyard/cli-kit/table'
import type { Stat } from '../stats/stat-schema.ts'

/** Columns for a terminal; in a pipe key, sessions, turns, failed, time in ms, tokens read and written, and dollars. */
export const statTable: Table<Stat> = {
  plain: (stat) => [
    ...[stat.key, stat.sessions, stat.turns, stat.failed, stat.time_ms],
    ...[stat.input_tokens, stat.output_tokens, stat.cost_usd ?? ''],
  ],
  columns: [
    { text: ({ key }) => key, cellsMax: 40 },
    { text: ({ sessions }) => counted(sessions, 'session'), isRight: true },
    { text: ({ turns }) => counted(turns, 'turn'), isRight: true },
    { text: ({ failed }) => (failed === 0 ? '' : `${failed} failed`), isRight: true },
    { text: ({ time_ms }) => renderSpan(Math.floor(time_ms / 1000)), isRight: true },
    { text: ({ input_tokens }) => `${input_tokens} in`, isRight: true },
    { text: ({ output_tokens }) => `${output_tokens} out`, isRight: true },
    { text: ({ cost_usd }) => (cost_usd === null ? '' : `$${cost_usd.toFixed(2)}`), isRight: true },
  ],
}
