import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planCompaction } from '../src/compact/compaction.ts'
import type { SourceLine } from '../src/compact/traced-log.ts'
import { type Act, act, entriesOf, foldOf, seenIn, sourceOf, union, writer } from './simulated-clones.ts'

const dayMs = 86_400_000

/** The logs of two clones after these acts; every seventh time they exchange what they have. */
function clonesAfter(acts: readonly Act[]) {
  const write = writer()
  let clones: SourceLine[][] = [[], []]
  acts.forEach((one, index) => {
    if (index % 7 === 6) clones = [together(clones), together(clones)]
    const lines = clones[one.clone] ?? []
    clones[one.clone] = write(lines, one.clone, entriesOf(lines, one))
  })
  const [mine = [], theirs = []] = clones
  return { mine, theirs, write }
}

/** The log after a compaction, as the store writes it. */
function compacted(lines: readonly SourceLine[], write: ReturnType<typeof writer>, now = 0): SourceLine[] {
  const { kept, dropped, gone, judged } = planCompaction(lines, now)
  const all = write(lines, 0, [
    { type: 'compacted', archive: 'a', dropped, gone: [...gone], judged: [...judged], bytes: 0 },
  ])
  return [...all.slice(-1), ...kept.map(sourceOf)]
}

/** As git merges them: the same lines in the same order in both. */
function together([mine = [], theirs = []]: readonly SourceLine[][]): SourceLine[] {
  return union(mine, theirs)
}

const acts = fc.array(act, { minLength: 5, maxLength: 60 })

describe('compaction', () => {
  it('means the same afterwards, and again after the next one', () => {
    fc.assert(
      fc.property(acts, (all) => {
        const { mine, write } = clonesAfter(all)
        const once = compacted(mine, write)
        expect(seenIn(once)).toEqual(seenIn(mine))
        expect(seenIn(compacted(once, write))).toEqual(seenIn(mine))
        expect(foldOf(once).maxSeq).toBeGreaterThan(foldOf(mine).maxSeq)
      }),
      { numRuns: 300 },
    )
  })

  it('changes nothing for a clone that went on, whoever takes in the other, and whatever comes back', () => {
    fc.assert(
      fc.property(acts, acts, (shared, after) => {
        const { mine, theirs, write } = clonesAfter(shared)
        const short = compacted(mine, write)
        let other = theirs
        let long = mine
        let went = short
        for (const one of after) {
          if (one.clone === 1) other = write(other, 1, entriesOf(other, one))
          else {
            const next = write(went, 0, entriesOf(went, one))
            long = [...long, ...next.slice(went.length)]
            went = next
          }
        }
        expect(seenIn(union(went, other))).toEqual(seenIn(union(long, other)))
        expect(seenIn(union(other, went))).toEqual(seenIn(union(other, long)))
      }),
      { numRuns: 300 },
    )
  })

  it('keeps of an issue deleted long ago only what keeps it deleted, and its old lines do not bring it back', () => {
    fc.assert(
      fc.property(acts, (all) => {
        const { mine, write } = clonesAfter(all)
        const late = compacted(mine, write, 40 * dayMs)
        expect(seenIn(late).issues).toEqual(seenIn(mine).issues)
        expect(seenIn(union(late, mine)).issues).toEqual(seenIn(mine).issues)
        expect(seenIn(union(mine, late)).issues).toEqual(seenIn(mine).issues)
      }),
      { numRuns: 200 },
    )
  })

  it('keeps an issue deleted that a holder wanted to end after the claim was over', () => {
    const write = writer()
    const issue = 'app-aaaa00000001'
    const made = write([], 0, [{ type: 'created', issue, title: 'A', body: '', priority: 2, tags: [] }])
    const held = write(made, 0, [{ type: 'claimed', issue, until: dayMs, expect: null }])
    const [claim] = held.slice(-1)
    const busy = write(held, 0, [{ type: 'tagged', issue, tag: 'red' }])
    const ended = write(busy, 0, [{ type: 'closed', issue, fence: String(claim?.record?.['id']) }])
    const paused = write(held, 1, [{ type: 'status', issue, status: 'paused' }])
    const both = union(paused, ended)
    const expected = foldOf(both).issues.get(issue)?.fields.status?.id ?? ''
    const mine = write(both, 0, [{ type: 'deleted', issue, expect: expected }])
    const late = compacted(mine, write, 40 * dayMs)
    for (const lines of [mine, late, union(late, mine), union(mine, late)]) expect(seenIn(lines).issues).toEqual([])
  })

  it('keeps an issue whole for thirty days after it was deleted', () => {
    const write = writer()
    const issue = 'app-aaaa00000001'
    const made = write([], 0, [{ type: 'created', issue, title: 't', body: '', priority: 2, tags: [] }])
    const ended = write(made, 0, [{ type: 'closed', issue }])
    const last = String(ended.at(-1)?.record?.['id'])
    const lines = write(ended, 0, [{ type: 'deleted', issue, expect: last }])
    expect(planCompaction(lines, 29 * dayMs).dropped).toBe(0)
    expect(planCompaction(lines, 31 * dayMs).dropped).toBe(1)
  })
})
