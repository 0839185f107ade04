import { Failure } from '@switchyard/ground/failure'

/** A whole number that code gave, or what stands for none. */
export function numberOr(given: unknown, none: number): number {
  if (given === undefined || given === null) return none
  if (typeof given === 'number' && Number.isFinite(given)) return Math.trunc(given)
  throw new Failure('usage', `expected a number, got ${JSON.stringify(given)}`)
}

export function textOf(given: unknown, what: string): string {
  if (typeof given === 'string') return given
  throw new Failure('usage', `expected ${what}, got ${JSON.stringify(given) ?? 'nothing'}`)
}
