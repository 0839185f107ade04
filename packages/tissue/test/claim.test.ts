import { Failure } from '@switchyard/ground/failure'
import { describe, expect, it } from 'vitest'
import { decideClaim, decideNextClaim, type Wish } from '../src/change/claim.ts'
import { decideClose, decideStatus } from '../src/change/close.ts'
import { type Actor, fenceOf } from '../src/change/fence.ts'
import { decideRelease } from '../src/change/release.ts'
import { getState, viewsOf } from '../src/issue/issue.ts'
import type { Draft } from '../src/log/draft.ts'
import { applyRecord, emptyLedger, type Ledger, settle } from '../src/log/fold.ts'
import { isClaimStart } from '../src/log/rivals.ts'
import { writeLines } from '../src/log/write-lines.ts'
import { readyIds } from '../src/ready/ready.ts'
import type { SingleEvent } from '../src/schema/event-schema.ts'

const a = 'app-aaaa00000001'
const b = 'app-bbbb00000002'
const lease = { ttlMs: 1_000 }
let ulids = 0

function created(issue: string, priority = 2): Draft {
  return { type: 'created', issue, title: issue, body: '', priority, tags: [] }
}

/** Appends as a store would that nobody else writes to: what is claimed is confirmed. */
function append(ledger: Ledger, by: string, at: number, ...drafts: Draft[]): void {
  const author = { by, now: () => at, ulid: () => `E${String(++ulids).padStart(4, '0')}` }
  for (const { text } of writeLines(drafts, ledger, author)) {
    const event: SingleEvent = JSON.parse(text)
    applyRecord(ledger, event)
    settle(ledger)
    if (isClaimStart(event)) append(ledger, by, at, { type: 'confirmed', issue: event.issue, of: event.id })
  }
}

function logOf(...issues: string[]): Ledger {
  const ledger = emptyLedger()
  append(ledger, 'ada', 0, ...issues.map((issue) => created(issue)))
  return ledger
}

function claim(ledger: Ledger, id: string, actor: Actor, wish: Wish): Draft {
  return decideClaim(ledger, getState(ledger, id), actor, wish)
}

function failureOf(act: () => unknown): { code: number; message: string } {
  try {
    act()
  } catch (error) {
    if (error instanceof Failure) return { code: error.exitCode, message: error.message }
    throw error
  }
  return { code: 0, message: '' }
}

describe('a claim', () => {
  it('that nobody has confirmed is nothing, and is superseded by the next', () => {
    const ledger = logOf(a)
    const [line] = writeLines([claim(ledger, a, { by: 'ada', at: 10 }, lease)], ledger, {
      by: 'ada',
      now: () => 10,
      ulid: () => 'E5000',
    })
    applyRecord(ledger, JSON.parse(line?.text ?? ''))
    settle(ledger)
    expect(viewsOf(ledger).view(a)).toMatchObject({ status: 'open', claim: null })
    append(ledger, 'bob', 10, claim(ledger, a, { by: 'bob', at: 10 }, lease))
    // Confirmed too late, it does not come back.
    append(ledger, 'ada', 11, { type: 'confirmed', issue: a, of: 'E5000' })
    const view = viewsOf(ledger).view(a)
    expect([view.claim?.by, view.contested]).toEqual(['bob', undefined])
  })

  it('is refused while another holds it, naming the holder and the time', () => {
    const ledger = logOf(a)
    append(ledger, 'ada', 10, claim(ledger, a, { by: 'ada', at: 10 }, lease))
    expect(failureOf(() => claim(ledger, a, { by: 'bob', at: 1_009 }, lease))).toEqual({
      code: 5,
      message: `expected ${a} to be free, ada holds it until 1970-01-01T00:00:01.010Z`,
    })
  })

  it('keeps its id through renewals and gets another after a take-over', () => {
    const ledger = logOf(a)
    append(ledger, 'ada', 10, claim(ledger, a, { by: 'ada', at: 10 }, lease))
    const first = viewsOf(ledger).view(a).claim
    append(ledger, 'ada', 500, claim(ledger, a, { by: 'ada', at: 500 }, lease))
    const renewed = viewsOf(ledger).view(a).claim
    expect(renewed).toEqual({ id: first?.id, by: 'ada', since: 10, until: 1_500 })
    append(ledger, 'bob', 1_500, claim(ledger, a, { by: 'bob', at: 1_500 }, lease))
    expect(viewsOf(ledger).view(a).claim).toMatchObject({ by: 'bob', since: 1_500 })
    expect(viewsOf(ledger).view(a).claim?.id).not.toBe(first?.id)
  })

  it('of the same name is a new one once the lease is over, so that a slow process of before cannot act under it', () => {
    const ledger = logOf(a)
    append(ledger, 'ada', 10, claim(ledger, a, { by: 'ada', at: 10 }, lease))
    const first = viewsOf(ledger).view(a).claim?.id
    append(ledger, 'ada', 5_000, claim(ledger, a, { by: 'ada', at: 5_000 }, lease))
    expect(viewsOf(ledger).view(a).claim?.id).not.toBe(first)
    expect(failureOf(() => fenceOf(ledger, a, { by: 'ada', at: 5_001 }, { fence: first })).code).toBe(5)
  })

  it('of a closed issue is refused', () => {
    const ledger = logOf(a)
    append(ledger, 'ada', 10, ...decideClose(ledger, [a], { by: 'ada', at: 10 }, {}))
    expect(failureOf(() => claim(ledger, a, { by: 'bob', at: 20 }, lease))).toEqual({
      code: 5,
      message: `expected an issue to work on, ${a} is closed`,
    })
  })
})

describe('release and close', () => {
  it('are not needed to give up what is paused: only work in progress is held', () => {
    const ledger = logOf(a)
    append(ledger, 'ada', 10, claim(ledger, a, { by: 'ada', at: 10 }, lease))
    append(ledger, 'ada', 20, ...decideStatus(ledger, a, 'in_progress', { by: 'ada', at: 20 }, {}))
    expect(viewsOf(ledger).view(a).claim?.by).toBe('ada')
    append(ledger, 'ada', 30, ...decideStatus(ledger, a, 'paused', { by: 'ada', at: 30 }, {}))
    expect(viewsOf(ledger).view(a)).toMatchObject({ status: 'paused', claim: null })
    expect(readyIds(ledger, 5_000)).toEqual([])
  })

  it('open a released issue again, with its note as a comment', () => {
    const ledger = logOf(a)
    append(ledger, 'ada', 10, claim(ledger, a, { by: 'ada', at: 10 }, lease))
    append(ledger, 'ada', 20, ...decideRelease(ledger, a, { by: 'ada', at: 20 }, { note: 'needs a database' }))
    expect(viewsOf(ledger).view(a)).toMatchObject({ status: 'open', claim: null })
    expect([...(ledger.issues.get(a)?.comments.values() ?? [])].map(({ value }) => value.body)).toEqual([
      'needs a database',
    ])
    expect(decideRelease(ledger, a, { by: 'ada', at: 30 }, {})).toEqual([])
  })

  it('are refused to those who do not hold it, even when the lease is over for a release', () => {
    const ledger = logOf(a)
    append(ledger, 'ada', 10, claim(ledger, a, { by: 'ada', at: 10 }, lease))
    expect(failureOf(() => decideRelease(ledger, a, { by: 'bob', at: 20 }, {})).code).toBe(5)
    expect(failureOf(() => decideClose(ledger, [a], { by: 'bob', at: 20 }, {})).code).toBe(5)
    expect(decideClose(ledger, [a], { by: 'bob', at: 20 }, { force: true })).toEqual([{ type: 'closed', issue: a }])
    expect(decideClose(ledger, [a], { by: 'bob', at: 2_000 }, {})).toEqual([{ type: 'closed', issue: a }])
  })

  it('carry the fence of the holder, and are refused once another has taken over', () => {
    const ledger = logOf(a)
    append(ledger, 'ada', 10, claim(ledger, a, { by: 'ada', at: 10 }, lease))
    const closing = decideClose(ledger, [a], { by: 'ada', at: 20 }, { reason: 'done' })
    const fence = viewsOf(ledger).view(a).claim?.id
    expect(closing).toEqual([{ type: 'closed', issue: a, reason: 'done', fence }])
    append(ledger, 'bob', 2_000, claim(ledger, a, { by: 'bob', at: 2_000 }, lease))
    expect(failureOf(() => decideClose(ledger, [a], { by: 'ada', at: 2_001 }, { fence })).code).toBe(5)
  })

  it('refuse to close what is blocked, unless its blockers close with it', () => {
    const ledger = logOf(a, b)
    append(ledger, 'ada', 1, { type: 'linked', issue: a, kind: 'blocks', target: b })
    expect(failureOf(() => decideClose(ledger, [b], { by: 'ada', at: 2 }, {}))).toEqual({
      code: 5,
      message: `expected ${b} to wait for nothing, it is blocked by ${a}`,
    })
    expect(decideClose(ledger, [b, a], { by: 'ada', at: 2 }, {}).map((draft) => draft.type)).toEqual([
      'closed',
      'closed',
    ])
    expect(failureOf(() => decideStatus(ledger, b, 'closed', { by: 'ada', at: 2 }, {})).code).toBe(5)
    expect(decideStatus(ledger, b, 'open', { by: 'ada', at: 2 }, {})).toEqual([])
  })
})

describe('ready', () => {
  it('is by priority, then age, and leaves out what is blocked, held, paused or closed', () => {
    const ledger = emptyLedger()
    const names = ['c', 'd', 'e', 'f', 'g', 'h'].map((letter) => `app-${letter.repeat(12)}`)
    const [late = '', urgent = '', blocked = '', held = '', paused = '', closed = ''] = names
    append(
      ledger,
      'ada',
      0,
      created(late),
      created(urgent, 1),
      created(blocked, 1),
      created(held, 1),
      created(paused),
      created(closed),
      created(a),
    )
    append(ledger, 'ada', 1, { type: 'linked', issue: late, kind: 'blocks', target: blocked })
    append(ledger, 'bob', 2, claim(ledger, held, { by: 'bob', at: 2 }, lease))
    append(ledger, 'ada', 3, { type: 'status', issue: paused, status: 'paused' }, { type: 'closed', issue: closed })
    expect(readyIds(ledger, 100)).toEqual([urgent, late, a])
    expect(readyIds(ledger, 1_002)).toEqual([urgent, held, late, a])
    append(ledger, 'ada', 4, { type: 'closed', issue: late })
    expect(readyIds(ledger, 100)).toEqual([urgent, blocked, a])
  })

  it('gives claim --next its first, and exit 3 when there is none', () => {
    const ledger = logOf(a)
    expect(decideNextClaim(ledger, { by: 'ada', at: 1 }, lease)).toMatchObject({
      type: 'claimed',
      issue: a,
      expect: null,
    })
    expect(failureOf(() => decideNextClaim(ledger, { by: 'ada', at: 1 }, lease, () => false)).code).toBe(3)
  })
})
