/**
 * Where a value comes from: it stands in the file (`constant`, and every number), it cannot be told (`unknown`: a
 * parameter, what a call gives), or somebody outside decides it (`external`: a request, the command line, a prompt).
 */
export type Value = {
  origin: 'constant' | 'unknown' | 'external'
  /** Whether it is a text that was put together with a part that does not stand in the file. */
  isBuilt: boolean
}

export const constant: Value = { origin: 'constant', isBuilt: false }
export const unknown: Value = { origin: 'unknown', isBuilt: false }
export const external: Value = { origin: 'external', isBuilt: false }

const order = ['constant', 'unknown', 'external'] as const

/** The value of an expression that is one of these: the least known of them counts. */
export function oneOf(values: readonly Value[]): Value {
  const rank = Math.max(0, ...values.map(({ origin }) => order.indexOf(origin)))
  return { origin: order[rank] ?? 'unknown', isBuilt: values.some(({ isBuilt }) => isBuilt) }
}

/** The text that is put together from these. */
export function joined(values: readonly Value[]): Value {
  const whole = oneOf(values)
  return { origin: whole.origin, isBuilt: whole.origin !== 'constant' }
}
