import { counted } from '@switchyard/cli-kit/counted'
import type { Status } from './fold-status.ts'

/** How far a scan is, in a few lines. */
export function renderStatus(status: Status): string {
  const { chunks } = status
  const parts = (['completed', 'partial', 'failed', 'pending'] as const).flatMap((state) =>
    chunks[state] > 0 ? [`${chunks[state]} ${state}`] : [],
  )
  return [
    `${status.scan}${status.name === null ? '' : ` (${status.name})`}: ${status.phase}`,
    `  root      ${status.root}`,
    ...(status.query === null ? [] : [`  question  ${status.query.split('\n', 1)[0]}`]),
    `  files     ${status.files}, about ${status.tokens} tokens; ${counted(status.skipped, 'path')} left out`,
    `  chunks    ${chunks.total === 0 ? 'none yet' : `${chunks.total}: ${parts.join(', ')}`}`,
    `  progress  ${status.progress.toFixed(1)} %`,
    `  findings  ${status.findings}`,
  ].join('\n')
}
