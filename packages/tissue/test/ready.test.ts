import { scaled } from '@switchyard/testkit'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { viewsOf } from '../src/issue/issue.ts'
import { foldRecords } from '../src/log/fold-all.ts'
import { heldBackIn } from '../src/ready/held-back.ts'
import { readyIds } from '../src/ready/ready.ts'
import { reasonsOf } from '../src/ready/standing.ts'
import { statuses } from '../src/schema/event.check.ts'
import type { Status } from '../src/schema/event-schema.ts'

type Plan = {
  issues: { status: Status; priority: number; until: number | null; defer: number | null }[]
  links: { kind: 'blocks' | 'parent' | 'relates'; from: number; to: number }[]
}

const now = 1_000
const moment = fc.constantFrom(null, 500, now, 1_001, 5_000)
const plan: fc.Arbitrary<Plan> = fc.record({
  issues: fc.array(
    fc.record({
      status: fc.constantFrom(...statuses, 'open', 'open', 'open'),
      priority: fc.integer({ min: 1, max: 5 }),
      until: moment,
      defer: moment,
    }),
    { minLength: 1, maxLength: 9 },
  ),
  links: fc.array(
    fc.record({
      kind: fc.constantFrom('blocks', 'parent', 'relates'),
      from: fc.nat({ max: 8 }),
      to: fc.nat({ max: 8 }),
    }),
    { maxLength: 12 },
  ),
})

function idOf(index: number): string {
  return `app-${index}`
}

/** The log of a plan: an issue with `until` was claimed till then; circles are there, as merges leave them. */
function logOf({ issues, links }: Plan) {
  let seq = 0
  const event = (fields: object) => {
    seq += 1
    return { v: 1, id: `E${String(seq).padStart(4, '0')}`, seq, at: 1, by: 'ada', ...fields }
  }
  const records = issues.flatMap(({ status, priority, until, defer }, index) => {
    const issue = idOf(index)
    const detail = defer === null ? {} : { defer_until: defer }
    const made = event({ type: 'created', issue, title: 't', body: '', priority, tags: [], ...detail })
    if (until === null) return [made, event({ type: 'status', issue, status })]
    // Whatever else a status is, it ends the claim.
    const claimed = event({ type: 'claimed', issue, until, expect: null })
    return status === 'in_progress' ? [made, claimed] : [made, claimed, event({ type: 'status', issue, status })]
  })
  const linked = links.map(({ kind, from, to }) => {
    return event({ type: 'linked', issue: idOf(from), kind, target: idOf(to) })
  })
  return foldRecords([...records, ...linked])
}

/** The rule, word by word: slow, and walking every way there is. */
function isReady({ issues, links }: Plan, index: number): boolean {
  const isThere = (one: number) => one < issues.length
  const isOpen = (one: number) => isThere(one) && !['closed', 'duplicate'].includes(issues[one]?.status ?? 'closed')
  const parentsOf = (one: number) =>
    links
      .filter(({ kind, from, to }) => kind === 'parent' && to === one && isOpen(from) && isOpen(to))
      .map(({ from }) => from)
  const above = (one: number): number[] => {
    const found: number[] = parentsOf(one)
    for (const parent of found) found.push(...parentsOf(parent).filter((next) => !found.includes(next)))
    return found
  }
  const blockersOf = (one: number) => {
    return links.filter(({ kind, to, from }) => kind === 'blocks' && to === one && isOpen(from)).map(({ from }) => from)
  }
  const isPutOff = (one: number) => issues[one]?.status === 'deferred' || (issues[one]?.defer ?? 0) > now
  const issue = issues[index]
  const isFree =
    issue?.status === 'open' || (issue?.status === 'in_progress' && issue.until !== null && issue.until <= now)
  const isStopped = (ancestor: number) =>
    isPutOff(ancestor) ||
    blockersOf(ancestor).some(
      (blocker) =>
        !above(blocker)
          .filter((one) => one !== blocker)
          .includes(ancestor),
    )
  const isHeldBack = above(index).some((ancestor) => ancestor !== index && isStopped(ancestor))
  const hasParts = links.some(({ kind, from, to }) => kind === 'parent' && from === index && isOpen(to))
  return isFree && !isPutOff(index) && blockersOf(index).length === 0 && !isHeldBack && !hasParts
}

it('ready is what a naive reading of the rule says, most urgent first, then oldest', () => {
  fc.assert(
    fc.property(plan, (made) => {
      const expected = made.issues
        .map(({ priority }, index) => ({ priority, index }))
        .filter(({ index }) => isReady(made, index))
        .sort((a, b) => a.priority - b.priority || a.index - b.index)
        .map(({ index }) => idOf(index))
      expect(readyIds(logOf(made), now)).toEqual(expected)
    }),
    { numRuns: scaled(20_000) },
  )
})

it('an issue is held back by a block exactly when its view names a blocker', () => {
  const undeferred = plan.map((made) => {
    const issues = made.issues.map((issue) => ({ ...issue, defer: null }))
    return { ...made, issues: issues.filter(({ status }) => status !== 'deferred') }
  })
  fc.assert(
    fc.property(undeferred, (made) => {
      const ledger = logOf(made)
      const { ids, isOver, view } = viewsOf(ledger)
      const heldBack = heldBackIn(ledger, now)
      for (const id of ids.filter((one) => !isOver(one))) {
        const isNamed = reasonsOf(ledger, heldBack, id, now).some(({ kind }) => kind === 'blocked' || kind === 'parent')
        expect(isNamed).toBe(view(id).blocked_by.length > 0)
      }
    }),
    { numRuns: scaled(5_000) },
  )
})
