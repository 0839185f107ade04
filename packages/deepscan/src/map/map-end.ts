import { counted } from '@switchyard/cli-kit/counted'
import { type ExitCode, exitCodes, type Failure } from '@switchyard/ground/failure'
import { fail } from '../errors/fail.ts'
import type { OpenScan } from '../store/open-scan.ts'
import { readResults } from '../store/read-records.ts'
import type { Result } from '../store/result-schema.ts'
import { lastResults } from './choose-chunks.ts'
import { renderCost } from './estimate.ts'
import type { MapSummary } from './map-summary.ts'

/** The line for people at the end of a map. */
export function renderSummary({ chunks, findings, tokens, cost_usd }: MapSummary): string {
  const { total, completed, partial, failed } = chunks
  const state = [
    `${completed + partial} of ${counted(total, 'chunk')} analysed`,
    ...(partial > 0 ? [`${partial} of them in part`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    counted(findings, 'finding'),
  ]
  return `${state.join(', ')}; ${renderCost(tokens, cost_usd === 0 ? null : cost_usd)}`
}

/** What to type next. */
export function nextCommand({ outcome, chunks }: MapSummary): string {
  if (outcome === 'failed')
    return `next: deepscan map --only failed --with RUNNER, for the ${chunks.failed} that failed`
  if (outcome === 'left') return `next: deepscan map --with RUNNER, for the other ${chunks.pending}`
  return 'next: deepscan verify, then deepscan reduce'
}

/**
 * How a map ends: the exit code, or the failure, as the code by which it is known: the budget is spent, nobody
 * answered, or some chunks failed, which is 1.
 */
export function endOfMap(open: OpenScan, { outcome, reason, chunks }: MapSummary): ExitCode | undefined {
  if (outcome === 'limit') throw fail('DS-404', { reason: reason ?? '' })
  if (outcome !== 'failed') return undefined
  if (chunks.completed + chunks.partial > 0) return exitCodes.failed
  throw failureOf([...lastResults(readResults(open)).values()])
}

/** All that failed for one reason: that reason; else how many failed, and the last one why. */
function failureOf(results: readonly Result[]): Failure {
  const failed = results.filter(({ status }) => status === 'failed')
  const last = failed.at(-1)
  const reason = last?.error?.message ?? 'nobody answered'
  const codes = new Set(failed.map(({ error }) => error?.code))
  const chunk = last?.chunk ?? ''
  if (codes.size === 1 && codes.has('DS-104')) return fail('DS-104', { chunk, reason })
  if (codes.size === 1 && codes.has('DS-503'))
    return fail('DS-503', { work: `chunk ${chunk}`, seconds: reason.replace(/\D+/g, '') })
  if (codes.size === 1 && codes.has('DS-504')) return fail('DS-504', { reason })
  return fail('DS-205', { failed: failed.length, total: results.length, reason })
}
