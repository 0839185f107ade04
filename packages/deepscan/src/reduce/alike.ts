import type { Finding } from '../finding/finding.ts'
import type { Prepared } from './prepare.ts'
import type { Weights } from './weights.ts'

/** Whether two findings are about lines of one file that overlap. */
export function sharesLines(a: Finding, b: Finding): boolean {
  return a.path === b.path && a.line <= b.end_line && b.line <= a.end_line
}

/** Whether the quotes of two findings overlap. */
export function overlaps(a: Finding, b: Finding): boolean {
  if (a.path !== b.path) return false
  return startsBeforeEnd(a, b) && startsBeforeEnd(b, a)
}

function startsBeforeEnd(a: Finding, b: Finding): boolean {
  const end = b.end_line === b.line && b.end_column === b.column ? b.end_column + 1 : b.end_column
  return a.line < b.end_line || (a.line === b.end_line && a.column < end)
}

/**
 * How alike two findings are, from 0 to 1: the weight of the words that both have, divided by that of all. With
 * `atOnePlace` what they quote counts too.
 */
export function likeness(a: Prepared, b: Prepared, weights: Weights, atOnePlace: boolean): number {
  let shared = countShared(a.title, b.title) * weights.title
  let both = (a.title.length + b.title.length) * weights.title + 2 * weights.category
  if (a.finding.category === b.finding.category) shared += weights.category
  if (atOnePlace) {
    shared += countShared(a.quote, b.quote) * weights.quote
    both += (a.quote.length + b.quote.length) * weights.quote
  }
  return both === 0 ? 0 : shared / (both - shared)
}

/** How many numbers two ascending lists share. */
export function countShared(a: Int32Array, b: Int32Array): number {
  let [i, j, shared] = [0, 0, 0]
  while (i < a.length && j < b.length) {
    const x = a[i] ?? 0
    const y = b[j] ?? 0
    if (x === y) shared += 1
    if (x <= y) i += 1
    if (y <= x) j += 1
  }
  return shared
}
