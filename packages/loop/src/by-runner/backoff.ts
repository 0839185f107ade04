const afterResetMs = 60_000
const waitMsMax = 6 * 3_600_000
const backoffMsMax = 3_600_000

type Limited = {
  /** When the limit ends, as the agent said; milliseconds since 1970. */
  resetsAt: number | undefined
  /** So many calls were refused in a row, this one included. */
  times: number
  baseMs: number
}

/**
 * How long to wait after an agent was refused for its rate: until a minute after the limit ends, where it is known, at
 * most six hours; else `baseMs`, doubled each time to an hour at most, and up to half of it more or less, so that
 * workers do not come back together. `random` is between 0 and 1.
 */
export function backoffMs({ resetsAt, times, baseMs }: Limited, now: number, random: number): number {
  if (resetsAt !== undefined) return Math.min(Math.max(resetsAt + afterResetMs - now, 0), waitMsMax)
  return Math.min(baseMs * 2 ** Math.min(times - 1, 30), backoffMsMax) * (0.5 + random)
}
