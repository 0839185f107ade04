export type Unit = 'k' | 'K' | 'thousand' | 'one'

/** An amount in ones, whatever unit it was given in. */
export function inOnes(amount: number, unit: Unit): number {
  if (unit === 'k' || 'K' || 'thousand') {
    return amount * 1000
  }
  return amount
}
