// What a log means is a function of the set of its events: three clones work on the same issues, and their logs are
// joined in every way that git, export and import know.

import { scaled } from '@switchyard/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planCompaction } from '../src/compact/compaction.ts'
import type { SourceLine } from '../src/compact/traced-log.ts'
import { singlesOf } from '../src/log/write-lines.ts'
import { isKnownEvent } from '../src/schema/event.check.ts'
import type { SingleEvent } from '../src/schema/event-schema.ts'
import { act, entriesOf, foldOf, seenIn, sourceOf, union, writer } from './simulated-clones.ts'

const cloneCount = 3
/** Mostly what competes for an issue: claims, closes, statuses, releases, deletions. */
const competing = fc.record({
  clone: fc.nat({ max: cloneCount - 1 }),
  issue: fc.nat({ max: 1 }),
  what: fc.constantFrom(4, 5, 6, 6, 12, 12, 12, 12, 13, 14, 0, 7),
  value: fc.constantFrom('red', 'green', 'blue'),
  batched: fc.boolean(),
})
const anyAct = act.map((one) => ({ ...one, clone: (one.clone + one.issue) % cloneCount }))
const acts = fc.array(fc.oneof({ arbitrary: competing, weight: 3 }, { arbitrary: anyAct, weight: 1 }), {
  minLength: 10,
  maxLength: 50,
})

/** The logs of clones after these acts; now and then one takes in what another has. */
function workedClones(all: readonly { clone: number; issue: number; what: number; value: string; batched: boolean }[]) {
  const write = writer()
  const clones: SourceLine[][] = Array.from({ length: cloneCount }, () => [])
  all.forEach((one, index) => {
    const mine = clones[one.clone] ?? []
    const known = index % 6 === 5 ? union(mine, clones[(one.clone + 1) % cloneCount] ?? []) : mine
    clones[one.clone] = write(known, one.clone, entriesOf(known, one))
  })
  return { clones, write }
}

function orders<T>(all: readonly T[]): T[][] {
  if (all.length < 2) return [[...all]]
  return all.flatMap((one, at) => orders(all.toSpliced(at, 1)).map((rest) => [one, ...rest]))
}

function joined(clones: readonly (readonly SourceLine[])[]): SourceLine[] {
  return clones.reduce<SourceLine[]>((all, one) => union(all, one), [])
}

function compactedLog(lines: readonly SourceLine[], write: ReturnType<typeof writer>): SourceLine[] {
  const { kept, dropped, gone, judged } = planCompaction(lines, 0)
  const all = write(lines, 0, [
    { type: 'compacted', archive: 'a', dropped, gone: [...gone], judged: [...judged], bytes: 0 },
  ])
  return [...all.slice(-1), ...kept.map(sourceOf)]
}

function shuffled<T>(all: readonly T[], seed: number): T[] {
  let state = seed
  const key = new Map(
    all.map((one) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
      return [one, state]
    }),
  )
  return [...all].sort((a, b) => (key.get(a) ?? 0) - (key.get(b) ?? 0))
}

function eventsOf(lines: readonly SourceLine[]): SingleEvent[] {
  return lines.flatMap(({ record }) => (record && isKnownEvent(record) ? singlesOf(record) : []))
}

/** Every close was acknowledged: an issue that is not over has been given a status by somebody who had seen each. */
function expectClosesToStand(lines: readonly SourceLine[]): void {
  const events = eventsOf(lines)
  const seen = new Set(events.flatMap((event) => ('replaces' in event ? (event.replaces?.['status'] ?? []) : [])))
  const { issues } = foldOf(lines)
  for (const event of events) {
    if (event.type !== 'closed' || seen.has(event.id)) continue
    expect(issues.get(event.issue)?.fields.status?.value.status, event.id).toBe('closed')
  }
}

describe('clones that claim, close, hand over and reopen the same issues', () => {
  it('see the same once they have the same events, whichever way these came together', () => {
    let contested = 0
    let runs = 0
    fc.assert(
      fc.property(acts, fc.nat(), (all, seed) => {
        const { clones, write } = workedClones(all)
        const [first = [], ...others] = orders(clones).map(joined)
        const expected = seenIn(first)
        runs += 1
        if (expected.issues.some((issue) => issue.contested)) contested += 1
        for (const lines of others) expect(seenIn(lines)).toEqual(expected)
        expect(seenIn(shuffled(first, seed))).toEqual(expected)
        expect(seenIn([...first, ...shuffled(first, seed).slice(0, 5)])).toEqual(expected)
        const short = [compactedLog(clones[0] ?? [], write), ...clones.slice(1)]
        for (const lines of orders(short).map(joined)) expect(seenIn(lines)).toEqual(expected)
        expect(seenIn(joined([...short, first]))).toEqual(expected)
        expectClosesToStand(first)
      }),
      { numRuns: scaled(5_000, 25) },
    )
    // Else nobody has competed.
    expect(contested).toBeGreaterThan(runs / 20)
  })

  it('see the same where an id was used for two events: the smaller in byte order counts', () => {
    fc.assert(
      fc.property(acts, fc.nat(), fc.nat(), (all, which, seed) => {
        const { clones } = workedClones(all)
        const lines = joined(clones)
        const { record } = lines[which % lines.length] ?? {}
        const twin = sourceOf(JSON.stringify({ ...record, by: 'eve', at: 1 + (seed % 3) * 4 * 10 ** 12 }))
        const expected = seenIn([...lines, twin])
        for (const other of [[twin, ...lines], shuffled([...lines, twin], seed), [...lines, twin, ...lines, twin]])
          expect(seenIn(other)).toEqual(expected)
        const smaller =
          JSON.stringify(record) < twin.text ? lines : lines.map((line) => (line.record === record ? twin : line))
        expect(expected).toEqual(seenIn(smaller))
      }),
      { numRuns: scaled(2_000, 20) },
    )
  })
})

/** The clone, the issue and the act of each, in their order. */
const oneDeletionBehindAnother = [
  [0, 0, 4],
  [0, 0, 4],
  [0, 0, 4],
  [0, 0, 4],
  [0, 0, 0],
  [2, 0, 4],
  [0, 0, 0],
  [0, 0, 4],
  [0, 0, 4],
  [2, 0, 6],
  [0, 0, 4],
  [1, 0, 0],
  [0, 0, 0],
  [0, 0, 4],
  [0, 0, 14],
  [2, 0, 4],
  [0, 0, 0],
  [0, 2, 0],
  [0, 0, 14],
  [0, 0, 14],
  [0, 0, 0],
].map(([clone = 0, issue = 0, what = 0]) => ({ clone, issue, what, value: 'red', batched: false }))

it('a compaction keeps each deletion that may count again once more is known', () => {
  const { clones, write } = workedClones(oneDeletionBehindAnother)
  const expected = seenIn(joined(clones))
  const short = [compactedLog(clones[0] ?? [], write), ...clones.slice(1)]
  for (const lines of orders(short).map(joined)) expect(seenIn(lines)).toEqual(expected)
})
