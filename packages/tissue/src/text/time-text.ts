/** A moment (milliseconds since 1970) for people: ISO time, or the bare number where no calendar has it. */
export function timeText(ms: number): string {
  return Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : String(ms)
}
