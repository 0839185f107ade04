// Times as a query has them: a duration, which counts from now, or a date.
import { parseDuration } from '@switchyard/cli-kit/duration'
import { parseDate } from '@switchyard/cli-kit/moment'

const dayMs = 86_400_000

/** A distance from now in milliseconds, or a stretch of time, `to` not included (milliseconds since 1970). */
type Point = { readonly kind: 'distance'; readonly ms: number } | { readonly kind: 'at'; from: number; to: number }

/** A distance (`2d`) or a date: `2026-11-21` is that whole day in UTC, `2026-11-21T08:00:00Z` that moment. */
export function parsePoint(text: string): Point | undefined {
  const ms = parseDuration(text)
  if (ms !== undefined) return { kind: 'distance', ms }
  const from = parseDate(text)
  if (from === undefined) return undefined
  return { kind: 'at', from, to: /^\d{4}-\d{2}-\d{2}$/.test(text) ? from + dayMs : from + 1 }
}
