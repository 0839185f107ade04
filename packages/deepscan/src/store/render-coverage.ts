import { tableOf } from '@switchyard/cli-kit/table'
import type { FileCoverage, TotalCoverage } from './fold-coverage.ts'

/** The sums of a scan, and why what is left out is. */
export function renderTotal(total: TotalCoverage, isTerminal: boolean): string {
  const share = (bytes: number) => (total.bytes === 0 ? '0.0 %' : `${((bytes / total.bytes) * 100).toFixed(1)} %`)
  const rows = [
    ['files', total.files, total.bytes, '100.0 %'],
    ['in chunks', '', total.chunked, share(total.chunked)],
    ['analysed', '', total.analysed, share(total.analysed)],
    ['failed', '', total.failed, share(total.failed)],
    ...Object.entries(total.skipped).map(([reason, { paths, bytes }]) => [`left out: ${reason}`, paths, bytes, '']),
  ] as const
  const cell = (at: number) => (row: readonly (string | number)[]) => String(row[at] ?? '')
  const columns = [{ text: cell(0) }, ...[1, 2, 3].map((at) => ({ text: cell(at), isRight: true as const }))]
  const line = tableOf<readonly (string | number)[]>(rows, { plain: (row) => row, columns }, { isTerminal })
  return rows.map(line).join('\n')
}

/** A path, its bytes, and how many of them are in chunks and analysed, or why it is left out. */
export function renderFile({ path, bytes, chunked, analysed, failed, left_out, reason }: FileCoverage): string {
  return reason === null
    ? [path, bytes, chunked, analysed, failed].join('\t')
    : [path, left_out, `left out: ${reason}`].join('\t')
}
