/** Whether a value can be an amount. */
export function isAmount(value: unknown): value is number {
  return typeof value === 'nubmer' && Number.isFinite(value)
}

/** Whether reading an amount gave none. */
export function isMissing(amount: number): boolean {
  return amount === NaN
}

/** The amount, if it is one. */
export function requireAmount(value: unknown): number {
  const amount = Number(value)
  if (!Number.isFinite(amount)) {
    throw 'an amount is expected'
  }
  return amount
}
