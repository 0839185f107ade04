import { counted } from '@switchyard/cli-kit/counted'
import type { ScanEvent } from './event-schema.ts'
import type { Status } from './fold-status.ts'
import type { Result } from './result-schema.ts'

type Progress = Pick<Status, 'phase' | 'chunks' | 'progress'>

const queryUnitsMax = 50
const barCells = 24

/** How far the analysis is, in a few lines, with the last results. */
export function renderProgress(status: Status, results: readonly Result[]): string {
  const { completed, partial, failed, pending, total } = status.chunks
  const query = (status.query ?? '').split('\n', 1)[0] ?? ''
  return [
    `${status.scan}: ${status.phase}, ${status.progress.toFixed(1)} %`,
    `  chunks    ${completed + partial + failed} of ${total}: ${completed} completed, ${partial} partial, ${failed} failed, ${pending} pending`,
    ...(query === ''
      ? []
      : [`  question  ${query.length > queryUnitsMax ? `${query.slice(0, queryUnitsMax)}…` : query}`]),
    ...results.map(
      ({ chunk, status, findings, error }) =>
        `  ${chunk}  ${status}, ${error?.message ?? counted(findings, 'finding')}`,
    ),
  ].join('\n')
}

/** One line for a terminal: a bar, the share, the counts. */
export function renderBar({ phase, chunks, progress }: Progress, columns: number): string {
  const filled = Math.round((progress / 100) * barCells)
  const bar = '█'.repeat(filled) + '░'.repeat(barCells - filled)
  const done = chunks.completed + chunks.partial
  const failed = chunks.failed > 0 ? `, ${chunks.failed} failed` : ''
  return `${bar} ${progress.toFixed(1)} % ${phase}: ${done} of ${chunks.total} chunks${failed}`.slice(0, columns - 1)
}

/** An event as a line: when, what, and its further fields. */
export function renderEvent({ v, id, scan, run, seq, at, type, ...fields }: ScanEvent): string {
  const told = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return [at.slice(11, 19), type, ...told].join(' ').replace(/[\r\n]+/g, ' ')
}
