import { sameRule } from '../linters/same-rule.ts'
import { likeness, overlaps, sharesLines } from './alike.ts'
import { visitLikelyPairs } from './min-hash.ts'
import type { Prepared } from './prepare.ts'
import { startUnion, type Union } from './union.ts'
import type { Weights } from './weights.ts'

/** By which likeness findings come together: at one place, by one rule, or by their words wherever they stand. */
export const groupings = ['location', 'rule', 'text'] as const
export type Grouping = (typeof groupings)[number]

export type GroupSettings = { by: readonly Grouping[]; threshold: number; weights: Weights }

/** Findings at one place that each finding is compared with. */
const neighboursMax = 64

/**
 * Findings that belong together, each group by its places: those of one place are the same defect said twice, those of
 * other places are further occurrences of it. Expects the order of `prepare`; nothing depends on any other.
 */
export function groupFindings(all: readonly Prepared[], settings: GroupSettings): Prepared[][][] {
  const places = startUnion(all.length)
  const groups = startUnion(all.length)
  joinEqualIds(all, places, groups)
  for (const [a, b] of neighbours(all)) {
    if (!isSameDefect(all[a], all[b], settings)) continue
    places.join(a, b)
    groups.join(a, b)
  }
  if (settings.by.includes('rule')) joinEqual(all, groups, ruleKey)
  if (settings.by.includes('text')) joinByText(all, groups, settings)
  return collect(all, places, groups)
}

/** Pairs of findings whose lines overlap. */
export function* neighbours(all: readonly Prepared[]): Generator<readonly [number, number]> {
  for (const [at, { finding }] of all.entries()) {
    const last = Math.min(all.length, at + 1 + neighboursMax)
    for (let next = at + 1; next < last; next++) {
      const other = all[next]?.finding
      if (other === undefined || !sharesLines(finding, other)) break
      yield [at, next]
    }
  }
}

function isSameDefect(a: Prepared | undefined, b: Prepared | undefined, settings: GroupSettings): boolean {
  if (a === undefined || b === undefined || !overlaps(a.finding, b.finding)) return false
  if (settings.by.includes('rule') && a.isRuled && b.isRuled) {
    if (sameRule(a.finding.rule) === sameRule(b.finding.rule)) return true
  }
  if (!settings.by.includes('location') || a.isDenial !== b.isDenial) return false
  return likeness(a, b, settings.weights, true) >= settings.threshold
}

function joinEqualIds(all: readonly Prepared[], places: Union, groups: Union): void {
  const first = new Map<string, number>()
  for (const [index, { finding }] of all.entries()) {
    const known = first.get(finding.id)
    if (known === undefined) first.set(finding.id, index)
    else {
      places.join(known, index)
      groups.join(known, index)
    }
  }
}

function joinEqual(all: readonly Prepared[], groups: Union, keyOf: (one: Prepared) => string | undefined): void {
  const first = new Map<string, number>()
  for (const [index, one] of all.entries()) {
    const key = keyOf(one)
    if (key === undefined) continue
    const known = first.get(key)
    if (known === undefined) first.set(key, index)
    else groups.join(known, index)
  }
}

function ruleKey({ finding, isRuled }: Prepared): string | undefined {
  return isRuled ? sameRule(finding.rule) : undefined
}

function wordingKey({ finding, words, isDenial, isRuled }: Prepared): string | undefined {
  return isRuled || words.length === 0 ? undefined : JSON.stringify([words, finding.category, isDenial])
}

/** Joins what agents said in words alike. Rules say a thing in one way, so theirs are not compared. */
function joinByText(all: readonly Prepared[], groups: Union, { threshold, weights }: GroupSettings): void {
  joinEqual(all, groups, wordingKey)
  const distinct = new Map<string, number>()
  for (const [index, one] of all.entries()) {
    const key = wordingKey(one)
    if (key !== undefined && !distinct.has(key)) distinct.set(key, index)
  }
  const indexes = [...distinct.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, index]) => index)
  const wordings = indexes.map((index) => all[index]?.words ?? [])
  visitLikelyPairs(wordings, (a, b) => {
    const [i, j] = [indexes[a] ?? 0, indexes[b] ?? 0]
    if (groups.rootOf(i) === groups.rootOf(j)) return
    const [one, other] = [all[i], all[j]]
    if (one === undefined || other === undefined || one.isDenial !== other.isDenial) return
    if (likeness(one, other, weights, false) >= threshold) groups.join(i, j)
  })
}

function collect(all: readonly Prepared[], places: Union, groups: Union): Prepared[][][] {
  const byGroup = new Map<number, Map<number, Prepared[]>>()
  for (const [index, one] of all.entries()) {
    const group = byGroup.get(groups.rootOf(index)) ?? new Map<number, Prepared[]>()
    byGroup.set(groups.rootOf(index), group)
    const place = group.get(places.rootOf(index))
    if (place === undefined) group.set(places.rootOf(index), [one])
    else place.push(one)
  }
  return [...byGroup.values()].map((group) => [...group.values()])
}
