import { parseDuration } from '@switchyard/cli-kit/duration'
import { Failure } from '@switchyard/cli-kit/failure'

/**
 * A moment in milliseconds since 1970 from what `flag`, such as `--since`, takes: a time ago (`90s`, `10m`, `2h`, `1d`) or a date
 * (`2026-11-21`, `2026-11-21T08:00:00Z`). Fails as bad input on anything else.
 */
export function parseMoment(text: string, now: number, flag = '--since'): number {
  const ago = parseDuration(text)
  if (ago !== undefined) return now - ago
  const moment = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(moment)) {
    throw new Failure(
      'usage',
      `${flag} takes a time ago such as 10m, 2h or 1d, or a date such as 2026-11-21; got ${JSON.stringify(text)}`,
    )
  }
  return moment
}
