import { Failure } from '@switchyard/ground/failure'
import { parseDuration } from './duration.ts'

const datePattern = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?)?$/i

/**
 * A moment in the past, in milliseconds since 1970, from what `flag`, such as `--since`, takes: a time ago (`90s`,
 * `10m`, `2h`, `1d`) or a date (`2026-11-21`, `2026-11-21T08:00:00Z`; UTC where no zone is given). Fails as bad input
 * on anything else.
 */
export function parseMoment(text: string, now: number, flag = '--since'): number {
  const ago = parseDuration(text)
  const moment = ago === undefined ? parseDate(text) : now - ago
  if (moment !== undefined) return moment
  throw new Failure(
    'usage',
    `${flag} takes a time ago such as 10m, 2h or 1d, or a date such as 2026-11-21; got ${JSON.stringify(text)}`,
  )
}

/**
 * A moment to come, in milliseconds since 1970, from what `flag`, such as `--due`, takes: a time from now (`2h`, `1d`)
 * or a date as in `parseMoment`; null for `none`. Fails as bad input on anything else.
 */
export function parseWhen(text: string, now: number, flag: string): number | null {
  if (text === 'none') return null
  const ahead = parseDuration(text)
  const moment = ahead === undefined ? parseDate(text) : now + ahead
  if (moment !== undefined && moment >= 0) return moment
  throw new Failure(
    'usage',
    `expected ${flag} to be a time from now such as 2h or 3d, a date such as 2026-12-01, or none; got ${JSON.stringify(text)}`,
  )
}

/** Milliseconds since 1970 of a date that the calendar has, with or without a time of day; undefined for other text. */
export function parseDate(text: string): number | undefined {
  const [, day, time, zone = 'Z'] = datePattern.exec(text) ?? []
  const moment = Date.parse(time === undefined ? `${day}` : `${day}T${time}${zone.toUpperCase()}`)
  // Some engines take the 31st of a shorter month for a day of the next.
  const isDay = !Number.isNaN(moment) && new Date(`${day}T00:00Z`).toISOString().slice(0, 10) === day
  return isDay ? moment : undefined
}
