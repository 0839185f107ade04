const dayMs = 86_400_000

type WallTime = { hour: number; minute: number; month?: number | undefined; day?: number | undefined }

/**
 * When a clock in `zone` next shows this time, in milliseconds since 1970: the first moment after `now`, on that day
 * of that month where one is given. Undefined for a zone or a time that does not exist.
 */
export function nextWallTime({ hour, minute, month, day }: WallTime, zone: string | undefined, now: number) {
  const shift = zoneShift(zone)
  if (shift === undefined || hour > 23 || minute > 59) return undefined
  const today = new Date(now + shift(now))
  const at = (year: number, ofMonth: number, ofDay: number) => {
    const wall = Date.UTC(year, ofMonth, ofDay, hour, minute)
    // The shift of the moment itself, which another side of a change to summer time may have.
    return wall - shift(wall - shift(wall))
  }
  if (month === undefined || day === undefined) {
    const moment = at(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate())
    return moment > now ? moment : at(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate() + 1)
  }
  const moment = at(today.getUTCFullYear(), month, day)
  return moment > now - dayMs ? moment : at(today.getUTCFullYear() + 1, month, day)
}

/** How far the zone's clocks are ahead of UTC at a moment, in milliseconds; without a zone, those of this machine. */
function zoneShift(zone: string | undefined): ((moment: number) => number) | undefined {
  const format = formatFor(zone)
  if (format === undefined) return undefined
  return (moment) => {
    const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]))
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
    const wall = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
    return wall - Math.floor(moment / 1000) * 1000
  }
}

function formatFor(timeZone: string | undefined): Intl.DateTimeFormat | undefined {
  const fields = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const
  try {
    return new Intl.DateTimeFormat('en-US', { ...fields, second: 'numeric', hourCycle: 'h23', timeZone })
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
