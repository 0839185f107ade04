import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isUnknownEvent } from '../src/log/later-event.ts'
import { isEvent, isFinding, isKnownEvent } from '../src/schema/event.check.ts'
import { knownEvent, unknownEvent } from '../src/schema/event-schema.ts'
import { finding } from '../src/schema/schemas.ts'
import { corpus } from './corpus.ts'

type Fields = Record<string, unknown>

const types =
  'configured created edited status closed deleted commented tagged untagged linked unlinked claimed confirmed withdrawn released compacted batch'.split(
    ' ',
  )
const names = 'v id seq at by type issue title body priority tags blocked_by key finding status'.split(' ')
const more =
  'fence reason tag kind target until expect renews note prefix rule severity path line column message quote'.split(' ')
const others = `issue_type assignee acceptance refs meta defer_until due_at estimate_ms links add_refs rm_refs replaces
  of supersedes ends renewal settings previous leases to archive dropped events
  origin`.split(/\s+/)
const texts = [
  '',
  'a',
  'ada',
  'a-1',
  'A-1',
  'my-app-k3vd',
  '-1',
  'a-',
  'open',
  'closed',
  'done',
  'blocks',
  'relates',
  'high',
  'finding',
  'constructor',
  ...types,
]
const numbers = [0, -0, 1, 2, 5, 6, -1, 1.5, 2 ** 31, 2 ** 52, 2 ** 52 + 1, 2 ** 53, 1e300]
const values: unknown[] = [
  ...texts,
  ...numbers,
  null,
  true,
  [],
  ['a'],
  [''],
  ['a-1'],
  ['a-1', 2],
  {},
  { a: 1 },
  { a: 'b' },
  { a: ['b'] },
  { a: null },
  { claim: 'c', until: 1 },
  { id: 'c', by: 'ada', at: 1 },
  [{ kind: 'blocks', from: 'a-1', to: 'a-2' }],
  [corpus[0]],
  undefined,
]
const value = fc.oneof(fc.constantFrom(...values), fc.jsonValue())

/**
 * A record of the corpus with up to three fields changed, added or removed: near enough to validity that both answers
 * occur.
 */
const damaged = fc
  .tuple(
    fc.constantFrom(...corpus),
    fc.array(fc.tuple(fc.constantFrom(...names, ...more, ...others, 'extra'), fc.option(value, { nil: undefined })), {
      maxLength: 3,
    }),
  )
  .map(([record, changes]) => {
    const copy: Fields = { ...record }
    for (const [name, replacement] of changes) {
      if (replacement === undefined) delete copy[name]
      else copy[name] = replacement
    }
    return copy
  })

function verdicts(record: Fields) {
  const known = knownEvent.safeParse(record).success
  return { known, unknown: isOfLaterVersion(record), finding: finding.safeParse(record).success }
}

/** What a reader has to pass over: another `v`, a type that it has never heard of, or a batch with such an event. */
function isOfLaterVersion(record: Fields): boolean {
  const { v, id, type, events } = record
  if (Number.isSafeInteger(v) && Number(v) > 1) return typeof id === 'string' && id !== '' && typeof type === 'string'
  if (!unknownEvent.safeParse(record).success) return false
  if (type !== 'batch') return !types.includes(String(type))
  const isKnown = (one: Fields) => one['type'] !== 'batch' && knownEvent.safeParse(one).success
  const all: unknown[] = Array.isArray(events) ? events : []
  const isRead = (one: unknown) =>
    typeof one === 'object' && one !== null && (isKnown({ ...one }) || isOfLaterVersion({ ...one }))
  return all.length > 0 && all.every(isRead) && !all.every((one) => isKnown({ ...Object(one) }))
}

function guardsOf(record: Fields) {
  return { known: isKnownEvent(record), unknown: isUnknownEvent(record), finding: isFinding(record) }
}

describe('the checks of the hot path', () => {
  it('are plain code here too, as in the tools', () => {
    expect([isKnownEvent, isEvent, isFinding].filter((check) => Reflect.has(check, 'schema'))).toEqual([])
  })

  it('look at a name that zod throws away, as the log keeps it', () => {
    const event = { v: 1, id: 'c', seq: 1, at: 0, by: 'ada', type: 'configured', settings: { lease: '1h' } }
    const hostile = { ...event, settings: JSON.parse('{"__proto__": 7}') }
    expect([isKnownEvent(event), isKnownEvent(hostile), knownEvent.safeParse(hostile).success]).toEqual([
      true,
      false,
      true,
    ])
  })

  it('take every record of the corpus, as the schemas do', () => {
    for (const record of corpus) {
      expect({ known: isKnownEvent(record), finding: isFinding(record) }, JSON.stringify(record)).toEqual({
        known: record['type'] !== 'finding' && record['type'] !== 'sprinted',
        finding: record['type'] === 'finding',
      })
    }
  })

  it('agree with the schemas on every record of the corpus with any one field replaced or taken out', () => {
    for (const record of corpus) {
      for (const name of [...names, ...more]) {
        for (const replacement of values) {
          const changed: Fields = { ...record, [name]: replacement }
          if (replacement === undefined) delete changed[name]
          const agreed = JSON.stringify(guardsOf(changed)) === JSON.stringify(verdicts(changed))
          if (!agreed) expect(guardsOf(changed), JSON.stringify(changed)).toEqual(verdicts(changed))
        }
      }
    }
  })

  it('agree with the schemas on damaged records', () => {
    let refused = 0
    fc.assert(
      fc.property(damaged, (record) => {
        const guards = guardsOf(record)
        if (!guards.known && !guards.unknown && !guards.finding) refused += 1
        expect(guards).toEqual(verdicts(record))
        expect(isEvent(record)).toBe(unknownEvent.safeParse(record).success)
      }),
      { numRuns: 3_000 },
    )
    expect(refused).toBeGreaterThan(300)
  })
})
