import { describe, expect, it } from 'vitest'
import { decideImport, issueOf, keyOf, parseImport } from '../src/import/incoming.ts'
import { foldRecords } from '../src/log/fold-all.ts'
import type { Finding } from '../src/schema/schemas.ts'
import { corpus } from './corpus.ts'

const finding: Finding = {
  v: 1,
  type: 'finding',
  id: 'f1',
  rule: 'no-eval',
  title: 'Call of\neval',
  severity: 'high',
  path: 'src/a.ts',
  line: 3,
  column: 5,
  message: 'Parse it instead.',
  quote: 'eval(text)\n  .run()',
}
const make = { root: '/srv/My App', ulid: () => `01JD0000000000${String(Math.random()).slice(2, 14).padEnd(12, '0')}` }

describe('an import', () => {
  it('makes an issue of a finding that says what, where and how urgent, and keeps the finding whole', () => {
    const kept = JSON.parse(JSON.stringify({ ...finding, fixable: true }))
    expect(issueOf(kept, keyOf(finding))).toEqual({
      title: 'Call of eval in src/a.ts:3',
      body: 'Parse it instead.\n\nsrc/a.ts:3:5\n\n    eval(text)\n      .run()',
      priority: 1,
      tags: ['deepscan', 'no-eval'],
      key: 'deepscan:f1',
      finding: { ...finding, fixable: true },
    })
  })

  it('makes one issue of a finding that comes twice, and none of one that has its issue', () => {
    const line = JSON.stringify(finding)
    const incoming = parseImport([line, '', line, JSON.stringify({ ...finding, id: 'f2', severity: 'low' })])
    const entries = decideImport(foldRecords([]), incoming, new Map(), make)
    expect(entries).toMatchObject([
      { type: 'configured', prefix: 'my-app' },
      { type: 'created', key: 'deepscan:f1', priority: 1 },
      { type: 'created', key: 'deepscan:f2', priority: 3 },
    ])
    const records = entries.map((entry, index) => ({ v: 1, id: `E${index}`, seq: index, at: 0, by: 'ada', ...entry }))
    expect(decideImport(foldRecords(records), incoming, new Map(), make)).toEqual([])
  })

  it('names every bad line and takes nothing', () => {
    const good = JSON.stringify(finding)
    const bad = JSON.stringify({ ...finding, severity: 'awful' })
    expect(() =>
      parseImport([good, '{"torn":', bad, '[1]', '{"v":1,"id":"a","seq":1,"at":1,"by":"a","type":"tagged"}']),
    ).toThrow(
      'expected findings or events, one a line: line 2 is no JSON object; line 3 is a finding with a wrong or missing severity; ' +
        'line 4 is no JSON object; line 5 is an event of type tagged with a wrong or missing field',
    )
  })

  it('takes in events once, as the lines they are', () => {
    const lines = corpus
      .filter(({ type }) => type !== 'finding' && type !== 'sprinted')
      .map((record, index) => JSON.stringify({ ...record, id: `E${index}` }))
    const entries = decideImport(foldRecords([]), parseImport([...lines, ...lines]), new Map(), make)
    expect(entries.map((entry) => ('line' in entry ? entry.line : entry))).toEqual(lines)
    const there = lines.map((line) => JSON.parse(line))
    const texts = new Map(there.map((record, index) => [record.id, lines[index] ?? '']))
    expect(decideImport(foldRecords(there), parseImport(lines), texts, make)).toEqual([])
  })

  it('refuses an event that is there with other content, and a seq that would stop all others from winning', () => {
    const [first] = corpus
    const line = JSON.stringify(first)
    expect(() => decideImport(foldRecords([]), parseImport([line]), new Map([['c', '{}']]), make)).toThrow(
      'line 1 has other content than event c before it',
    )
    const poison = JSON.stringify({ ...first, seq: 2 ** 33 })
    expect(() => decideImport(foldRecords([]), parseImport([poison]), new Map(), make)).toThrow(
      'line 1 has a seq of 8589934592',
    )
  })
})
