/**
 * How long ago, in the largest fitting unit: `12s ago`, `3h ago`; `just now` below five seconds and for clocks that run
 * ahead.
 */
export function renderAge(at: number, now: number): string {
  const seconds = Math.floor((now - at) / 1000)
  return seconds < 5 ? 'just now' : `${renderSpan(seconds)} ago`
}

/** A number of seconds in the largest fitting unit, such as `12s` or `3h`. */
export function renderSpan(seconds: number): string {
  if (seconds < 60) return `${seconds}s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h`
  return `${Math.floor(seconds / 86_400)}d`
}
