import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commentsOf, viewsOf } from '../src/issue/issue.ts'
import { applyRecord, emptyLedger } from '../src/log/fold.ts'
import { foldRecords } from '../src/log/fold-all.ts'

type Fields = Record<string, unknown>

const ids = ['app-aaaa00000001', 'app-bbbb00000002', 'app-cccc00000003']
const issue = fc.constantFrom(...ids)
const word = fc.constantFrom('red', 'green', 'blue')

const eventId = fc.nat({ max: 40 }).map((number) => `E${String(number).padStart(3, '0')}`)
const seenIds = fc.array(eventId, { maxLength: 3 })

/** Events without claims: for these the order of lines means nothing. */
const detail: fc.Arbitrary<Fields> = fc.oneof(
  fc.record({ type: fc.constant('edited'), issue, title: word }),
  fc.record({ type: fc.constant('edited'), issue, body: word, priority: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ type: fc.constant('status'), issue, status: fc.constantFrom('open', 'paused', 'closed', 'duplicate') }),
  fc.record({ type: fc.constant('closed'), issue, reason: word }),
  fc.record({ type: fc.constant('commented'), issue, body: word }),
  fc.record({ type: fc.constantFrom('tagged', 'untagged'), issue, tag: word }),
  fc.record({
    type: fc.constantFrom('linked', 'unlinked'),
    issue,
    kind: fc.constantFrom('blocks', 'relates', 'parent'),
    target: issue,
  }),
  fc.record({ type: fc.constant('configured'), prefix: word }),
  fc.record({ type: fc.constant('configured'), settings: fc.dictionary(word, fc.option(word)) }),
  fc.record(
    {
      type: fc.constant('edited'),
      issue,
      issue_type: word,
      assignee: fc.option(word),
      acceptance: fc.option(word),
      defer_until: fc.option(fc.nat()),
      due_at: fc.option(fc.nat()),
      estimate_ms: fc.option(fc.nat()),
      meta: fc.dictionary(word, fc.option(word)),
      add_refs: fc.array(word, { maxLength: 2 }),
      rm_refs: fc.array(word, { maxLength: 2 }),
      replaces: fc.dictionary(fc.constantFrom('assignee', 'due_at', 'meta.red', 'meta.blue'), seenIds),
    },
    { requiredKeys: ['type', 'issue'] },
  ),
  fc.record({ type: fc.constant('edited'), issue, title: word, replaces: fc.record({ title: seenIds }) }),
  fc.record({
    type: fc.constant('status'),
    issue,
    status: fc.constantFrom('open', 'closed'),
    replaces: fc.record({ status: seenIds }),
  }),
  fc.record({ type: fc.constant('deleted'), issue, expect: eventId }),
  fc.record({ type: fc.constant('sprinted'), issue, points: fc.nat() }),
)
const creations = ids.map((id, index) =>
  event(
    { type: 'created', issue: id, title: 't', body: '', priority: 2, tags: ['red'], key: 'k' },
    index,
    index + 1,
    0,
  ),
)

/** A log of several writers whose clocks and sequence numbers go as they like. */
const log = fc
  .array(fc.tuple(detail, fc.nat({ max: 6 }), fc.nat({ max: 2_000_000_000_000 })), { maxLength: 25 })
  .map((entries) => [
    ...creations,
    ...inBatches(entries.map(([fields, seq, at], index) => event(fields, 10 + index, seq, at))),
  ])

/** Every fifth line holds two events. */
function inBatches(events: readonly Fields[]): Fields[] {
  return events.flatMap((one, index) => {
    const next = events[index + 1]
    if (index % 5 === 1) return []
    if (index % 5 !== 0 || !next || one['type'] === 'sprinted' || next['type'] === 'sprinted') {
      return index % 5 === 0 && next ? [one, next] : [one]
    }
    return [event({ type: 'batch', events: [one, next] }, 100 + index, 7, 0)]
  })
}

function event(fields: Fields, id: number, seq: number, at: number): Fields {
  return { v: 1, id: `E${String(id).padStart(3, '0')}`, seq, at, by: `agent-${id % 3}`, ...fields }
}

/** All that the verbs can see. */
function seen(records: readonly Fields[]) {
  const ledger = foldRecords(records)
  const views = viewsOf(ledger)
  const issues = views.ids.map((id) => ({ ...views.view(id), comments: commentsOf(ledger, id) }))
  return {
    issues,
    prefix: ledger.prefix?.value,
    maxSeq: ledger.maxSeq,
    keys: [...ledger.keys].map(([key, made]) => [key, made.map(({ value }) => value)]),
  }
}

describe('the fold without claims', () => {
  it('does not depend on the order of lines', () => {
    fc.assert(
      fc.property(
        log.chain((records) =>
          fc.tuple(fc.constant(records), fc.shuffledSubarray(records, { minLength: records.length })),
        ),
        ([records, shuffled]) => {
          expect(seen(shuffled)).toEqual(seen(records))
        },
      ),
      { numRuns: 300 },
    )
  })

  it('does not change when lines are there twice', () => {
    fc.assert(
      fc.property(
        log.chain((records) => fc.tuple(fc.constant(records), fc.subarray(records))),
        ([records, again]) => {
          expect(seen([...records, ...again])).toEqual(seen(records))
        },
      ),
      { numRuns: 200 },
    )
  })

  it('is the same whichever of two clones takes in the log of the other', () => {
    fc.assert(
      fc.property(log, fc.nat({ max: 25 }), fc.nat({ max: 25 }), (records, a, b) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)]
        const [shared, mine, theirs] = [records.slice(0, from), records.slice(from, to), records.slice(to)]
        expect(seen([...shared, ...mine, ...shared, ...theirs])).toEqual(
          seen([...shared, ...theirs, ...shared, ...mine]),
        )
      }),
      { numRuns: 200 },
    )
  })
})

describe('the fold', () => {
  it('lets a later edit win over one from a clock an hour ahead', () => {
    const [first] = creations
    const ahead = event({ type: 'edited', issue: ids[0], title: 'from the fast clock' }, 20, 5, 3_600_000)
    const later = event({ type: 'edited', issue: ids[0], title: 'from whoever saw it' }, 21, 6, 0)
    expect(seen([first ?? {}, later, ahead]).issues[0]?.title).toBe('from whoever saw it')
  })

  it('counts the seq of an event it does not know and passes over lines that are no events', () => {
    const ledger = emptyLedger()
    expect(applyRecord(ledger, { v: 1, id: 'x', seq: 41, at: 0, by: 'ada', type: 'sprinted' })).toBe('unknown')
    expect(applyRecord(ledger, { hello: 'world' })).toBe('foreign')
    expect(applyRecord(ledger, { v: 1, id: 'y', seq: 2 ** 53, at: 0, by: 'ada', type: 'sprinted' })).toBe('foreign')
    expect(applyRecord(ledger, { v: 1, id: 'x', seq: 41, at: 0, by: 'ada', type: 'sprinted' })).toBe('duplicate')
    expect(ledger.maxSeq).toBe(41)
  })

  it('keeps an issue out of sight until its creation is there', () => {
    const [creation] = creations
    const edit = event({ type: 'edited', issue: ids[0], title: 'early' }, 30, 9, 0)
    expect(seen([edit]).issues).toEqual([])
    expect(seen([edit, creation ?? {}]).issues.map(({ title }) => title)).toEqual(['early'])
  })
})
