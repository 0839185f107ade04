// Writers of one store without any lock, each step of whom may come between any two of another's, or be the last: never
// are two told that they hold an issue, and whoever was told holds it.
import { isFailure } from '@switchyard/ground/failure'
import { scaled } from '@switchyard/testkit'
import { expect, it } from 'vitest'
import { decideClaim } from '../src/change/claim.ts'
import { getState } from '../src/issue/issue.ts'
import type { Draft } from '../src/log/draft.ts'
import { isClaimStart, losesBefore, losesUnconfirmed } from '../src/log/rivals.ts'
import { type Author, writeLines } from '../src/log/write-lines.ts'
import type { SingleEvent } from '../src/schema/event-schema.ts'
import { foldOf, sourceOf } from './simulated-clones.ts'

const issue = 'app-aaaa00000001'
const made: Draft = { type: 'created', issue, title: 't', body: '', priority: 2, tags: [] }
const attemptsMax = 3
const killRate = 0.06

type Checks = { readonly before: boolean; readonly between: boolean }
type Random = () => number

function random(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The log of the store, and which claims were acknowledged. */
class Store {
  readonly lines: SingleEvent[] = []
  readonly told: string[] = []
  count = 0

  append(by: string, drafts: readonly Draft[], seen: readonly SingleEvent[]): SingleEvent[] {
    const author: Author = {
      by,
      now: () => 10,
      ulid: () => {
        this.count += 1
        return `E${(this.count * 7919) % 10_007}-${this.count}`
      },
    }
    const ledger = foldOf(seen.map((event) => sourceOf(JSON.stringify(event))))
    const events: SingleEvent[] = writeLines(drafts, ledger, author).map(({ text }) => JSON.parse(text))
    this.lines.push(...events)
    return events
  }

  holder(): string | undefined {
    return foldOf(this.lines.map((event) => sourceOf(JSON.stringify(event)))).issues.get(issue)?.claim?.id
  }
}

/** One who tries for the issue, as the store does it; each `yield` is a place where others go on, or it ends. */
function* racer(store: Store, by: string, checks: Checks): Generator<undefined> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    yield
    const seen = [...store.lines]
    const draft = decision(seen, by)
    if (!draft) return
    yield
    const [claim] = store.append(by, [draft], seen)
    // It holds the issue after all: whoever had superseded its claim was killed.
    if (!claim || !isClaimStart(claim)) return
    yield
    const place = store.lines.indexOf(claim)
    if (checks.before && losesBefore(claim, store.lines.slice(seen.length, place))) continue
    const read = [...store.lines]
    yield
    const [confirm] = store.append(by, [{ type: 'confirmed', issue, of: claim.id }], read)
    yield
    const end = confirm ? store.lines.indexOf(confirm) : 0
    if (checks.between && losesUnconfirmed(claim, store.lines.slice(place + 1, end))) {
      yield
      store.append(by, [{ type: 'withdrawn', issue, of: claim.id }], [...store.lines])
      continue
    }
    store.told.push(claim.id)
    return
  }
}

function decision(seen: readonly SingleEvent[], by: string): Draft | undefined {
  try {
    const ledger = foldOf(seen.map((event) => sourceOf(JSON.stringify(event))))
    return decideClaim(ledger, getState(ledger, issue), { by, at: 10 }, { ttlMs: 9_999 })
  } catch (error) {
    if (isFailure(error)) return undefined
    throw error
  }
}

/** Whether this run tells two that they hold the issue, or one who does not. */
function isBroken(seed: number, checks: Checks): boolean {
  const roll = random(seed)
  const store = new Store()
  store.append('ada', [made], [])
  const racers = Array.from({ length: 2 + Math.floor(roll() * 4) }, (_, index) => racer(store, `a${index}`, checks))
  while (racers.length > 0) {
    const at = Math.floor(roll() * racers.length)
    if (roll() < killRate || racers[at]?.next().done) racers.splice(at, 1)
    if (store.told.length > 1) return true
  }
  return store.told.some((id) => id !== store.holder())
}

function brokenRuns(count: number, checks: Checks): number[] {
  return Array.from({ length: count }, (_, seed) => seed).filter((seed) => isBroken(seed, checks))
}

it('tells one at most, who then holds it, whoever is killed wherever', () => {
  expect(brokenRuns(scaled(100_000, 50), { before: true, between: true })).toEqual([])
})

it('needs both looks: without either, the same runs tell two', () => {
  expect(brokenRuns(1_000, { before: false, between: true })).not.toEqual([])
  expect(brokenRuns(1_000, { before: true, between: false })).not.toEqual([])
})
