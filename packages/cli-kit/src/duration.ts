const millisecondsOf = new Map(Object.entries({ ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }))

/** Milliseconds of a whole number and a unit, such as `500ms`, `30s`, `5m`, `2h` or `1d`; undefined for other text. */
export function parseDuration(text: string): number | undefined {
  const [, digits, unit] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text) ?? []
  const milliseconds = Number(digits) * (millisecondsOf.get(unit ?? '') ?? Number.NaN)
  return Number.isSafeInteger(milliseconds) ? milliseconds : undefined
}
