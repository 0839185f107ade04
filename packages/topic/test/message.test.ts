import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isAck, isMessage } from '../src/index.ts'
import { ackSchema, messageSchema } from '../src/message-schema.ts'

const valid = { v: 1, id: '01ARZ3NDEKTSV4RRFFQ69G5FAV', at: 1, topic: 'news', from: 'ann', body: 'hi' }

const hash = 'a'.repeat(64)
const values: Record<string, readonly unknown[]> = {
  v: [1, 2, '1', undefined],
  id: [
    'x',
    'ä 1',
    '',
    7,
    'x'.repeat(128),
    'x'.repeat(129),
    '😀'.repeat(128),
    '😀'.repeat(129),
    'a\nb',
    'a\u0085',
    undefined,
  ],
  at: [1, 1.5, -1, Number.NaN, Number.POSITIVE_INFINITY, '1', undefined],
  topic: ['news', '', null, undefined],
  from: ['ann', '', 1, undefined],
  body: ['', 'hi', null, undefined],
  role: ['worker', '', 1, null, undefined],
  model: ['m', 3, undefined],
  to: [[], ['bob'], 'bob', [1], undefined],
  tags: [['a', 'b'], { 0: 'a' }, undefined],
  reply_to: ['x', '', null, undefined],
  data: [null, 1, { a: [1] }, undefined],
  git: [
    { oid: null, branch: 'main', prefix: '' },
    { oid: 'a', branch: null },
    { oid: 1, branch: null, prefix: '' },
    [],
    null,
    undefined,
  ],
  blob: [
    { sha256: hash, bytes: 1 },
    { sha256: 'A', bytes: 1 },
    { sha256: hash, bytes: -1 },
    { sha256: hash, bytes: 1.5 },
    {},
    undefined,
  ],
  attachments: [
    [],
    [{ name: 'a.png', sha256: hash, bytes: 1 }],
    [{ name: '', sha256: hash, bytes: 1 }],
    [{ sha256: hash, bytes: 1 }],
    [null],
    {},
    undefined,
  ],
  urgent: [true, false, 'yes', null, undefined],
  key: ['k', '', 1, null, undefined],
  expires: [1, 1.5, '1', Number.POSITIVE_INFINITY, null, undefined],
  expect: ['x', '', null, 1, undefined],
  later: [undefined, 'a field of a later version'],
}

it('checks by plain code here too, as the tools do', () => {
  expect([isMessage, isAck].filter((check) => Reflect.has(check, 'schema'))).toEqual([])
})

describe('isMessage', () => {
  it('accepts a plain message', () => {
    expect(isMessage(valid)).toBe(true)
  })

  it('agrees with the schema on every mixture of good and bad fields', () => {
    const field = (name: string) => fc.constantFrom(...(values[name] ?? []))
    const mutation = fc
      .subarray(Object.keys(values), { maxLength: 3 })
      .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, field(name)]))))
    fc.assert(
      fc.property(mutation, (changes) => {
        const record = { ...valid, ...changes }
        expect(isMessage(record)).toBe(messageSchema.safeParse(record).success)
      }),
      { numRuns: 3000 },
    )
  })
})

describe('isAck', () => {
  it('agrees with the schema', () => {
    const ack = { type: 'ack', v: 1, id: 'a', at: 1, topic: 'news', from: 'bob', message: 'm' }
    expect(isAck(ack)).toBe(true)
    for (const name of Object.keys(ack)) {
      for (const value of [undefined, null, '', 'x', 0, 1, 2, Number.NaN]) {
        const record = { ...ack, [name]: value }
        expect([record, isAck(record)]).toEqual([record, ackSchema.safeParse(record).success])
      }
    }
  })
})
