import { nextWallTime } from './wall-clock.ts'

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const unitMs = new Map(Object.entries({ d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 }))

/**
 * When an agent says that it can go on, in milliseconds since 1970; null when it does not say, or says something that
 * cannot be. Known are `resets 3pm (Europe/Berlin)`, `resets Nov 24, 10am (UTC)`, `try again at 3:05 PM`, `reached|
 * 1763800000`, `retry in 34.07s`, `reset after 18h20m3s`, `try again in 2 days 4 hours`, `retry-after: 30`.
 */
export function findResetTime(text: string, now: number): number | null {
  return afterSpan(text, now) ?? atEpoch(text) ?? atWallTime(text, now) ?? null
}

function afterSpan(text: string, now: number): number | undefined {
  const span = /(?:(?:again|retry|resets?) (?:in|after)|retry-after:?)\s+((?:\d+(?:\.\d+)?\s*[a-z]*[\s,]*)+)/i.exec(
    text,
  )?.[1]
  if (span === undefined) return undefined
  const parts = [...span.matchAll(/(\d+(?:\.\d+)?)\s*(ms|[dhms])?/gi)]
  const spanMs = parts.reduce(
    (sum, [, count, unit]) => sum + Number(count) * (unitMs.get(unit?.toLowerCase() ?? 's') ?? 0),
    0,
  )
  return Number.isSafeInteger(Math.ceil(spanMs)) ? now + Math.ceil(spanMs) : undefined
}

function atEpoch(text: string): number | undefined {
  const seconds = /\|(\d{10})\b/.exec(text)?.[1]
  return seconds === undefined ? undefined : Number(seconds) * 1000
}

const wallTime =
  /(?:resets?|again)(?:\s+(?:at|on))?\s+(?:([a-z]{3})[a-z]* (\d{1,2})(?:st|nd|rd|th)?(?:, \d{4})?,?\s+(?:at )?)?(\d{1,2})(?::(\d{2}))?\s*([ap]m)?\b(?:\s*\(([\w/+-]+)\))?/i

function atWallTime(text: string, now: number): number | undefined {
  const [found, month, day, hour, minute, half, zone] = wallTime.exec(text) ?? []
  if (found === undefined || (half === undefined && minute === undefined)) return undefined
  const wall = {
    hour: half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0),
    minute: Number(minute ?? 0),
    month: month === undefined ? undefined : months.indexOf(month.toLowerCase()),
    day: day === undefined ? undefined : Number(day),
  }
  return wall.month === -1 ? undefined : nextWallTime(wall, zone, now)
}
