import { describe, expect, it } from 'vitest'
import { findKeyed } from '../src/issue/issue.ts'
import type { NewEntry } from '../src/log/draft.ts'
import type { Ledger } from '../src/log/fold.ts'
import { foldRecords } from '../src/log/fold-all.ts'
import { writeLines } from '../src/log/write-lines.ts'
import { eventMaker } from './log.ts'

const [issue, other] = ['app-aaaa00000001', 'app-bbbb00000002']
const make = { type: 'created', title: 't', body: '', priority: 2, tags: [] }

/** The fold of these events, whose ids are E000001, E000002 and so on. */
function foldOf(...events: readonly object[]): Ledger {
  const event = eventMaker(0)
  return foldRecords(events.map((fields) => JSON.parse(event({ issue, ...fields }))))
}

function claimOf(...events: readonly object[]) {
  const claimed = { type: 'claimed', until: 1_000, expect: null }
  return foldOf(make, claimed, ...events).issues.get(issue)?.claim
}

/** What a store would write at this time. */
function written(ledger: Ledger, at: number, ...entries: readonly NewEntry[]) {
  const event = eventMaker(at)
  const author = { by: 'ada', now: () => at, ulid: () => JSON.parse(event({})).id }
  return writeLines(entries, ledger, author).map(({ text }) => JSON.parse(text))
}

describe('a claim', () => {
  const takenOver = { type: 'claimed', by: 'bob', until: 2_000, expect: 'E000002' }
  const said = { type: 'commented', body: 'x' }

  it('is not ended by the release of the one before it', () => {
    expect(claimOf(takenOver, { type: 'released', expect: 'E000002' })).toMatchObject({ by: 'bob' })
    expect(claimOf(takenOver, { type: 'released', by: 'bob', expect: 'E000003' })).toBeNull()
  })

  it('is kept by what its holder does, not by what another does, and never made shorter', () => {
    const renewal = { claim: 'E000002', until: 9_000 }
    expect(claimOf({ ...said, renewal })).toMatchObject({ until: 9_000 })
    expect(claimOf({ ...said, by: 'bob', renewal })).toMatchObject({ until: 1_000 })
    expect(claimOf({ ...said, renewal: { claim: 'E000002', until: 500 } })).toMatchObject({ until: 1_000 })
    expect(claimOf(takenOver, { ...said, renewal })).toMatchObject({ by: 'bob', until: 2_000 })
  })

  it('whose lease is over is kept by nothing but another claim', () => {
    const ledger = foldOf(make, { type: 'claimed', until: 1_000, expect: null })
    const comment = { type: 'commented', issue, body: 'x' } as const
    expect(written(ledger, 999, comment)).toMatchObject([{ renewal: { claim: 'E000002', until: 1_999 } }])
    expect(written(ledger, 1_000, comment)[0]).not.toHaveProperty('renewal')
  })
})

describe('of several events that say the same', () => {
  const [first, second] = [
    { ...make, seq: 1, by: 'bob', key: 'k' },
    { ...make, seq: 2, key: 'k' },
  ]

  it('the earliest creation counts, wherever it stands', () => {
    for (const events of [
      [first, second],
      [second, first],
    ])
      expect(foldOf(...events).issues.get(issue)?.created?.value.by).toBe('bob')
  })

  it('a key leads to the issue that was made with it first', () => {
    for (const events of [
      [first, { ...second, issue: other }],
      [{ ...second, issue: other }, first],
    ])
      expect(findKeyed(foldOf(...events), 'k')).toBe(issue)
  })
})

it('what is written behind lines from elsewhere has a larger seq than they', () => {
  const foreign = { id: 'X', seq: 50, type: 'sprinted', line: '{}' }
  const [, own] = written(foldOf(make), 0, foreign, { type: 'tagged', issue, tag: 'x' })
  expect(own).toMatchObject({ seq: 51 })
})
