import { Failure } from '@switchyard/cli-kit/failure'
import { describe, expect, it } from 'vitest'
import { decideLink, decideUnlink, findPath } from '../src/deps.ts'
import type { Dep } from '../src/event-schema.ts'
import { foldRecords } from '../src/fold.ts'

const [a, b, c] = ['app-a', 'app-b', 'app-c']

function logOf(...deps: Dep[]) {
  return foldRecords(
    deps.map(({ kind, from, to }, index) => {
      return { v: 1, id: `E${index}`, seq: index, at: 0, by: 'ada', type: 'linked', issue: from, kind, target: to }
    }),
  )
}

describe('dependencies', () => {
  it('refuse a circle and name the way around it', () => {
    const ledger = logOf({ kind: 'blocks', from: a, to: b }, { kind: 'blocks', from: b, to: c })
    expect(findPath(ledger, 'blocks', a, c)).toEqual([a, b, c])
    expect(() => decideLink(ledger, { kind: 'blocks', from: c, to: a })).toThrow(
      'expected no circle, this would make one: app-c blocks app-a blocks app-b blocks app-c',
    )
    expect(() => decideLink(ledger, { kind: 'blocks', from: a, to: a })).toThrow(Failure)
  })

  it('count circles for each kind alone, and none for relates', () => {
    const ledger = logOf({ kind: 'blocks', from: a, to: b }, { kind: 'relates', from: a, to: c })
    expect(decideLink(ledger, { kind: 'parent', from: b, to: a })).toHaveLength(1)
    expect(decideLink(ledger, { kind: 'relates', from: b, to: a })).toHaveLength(1)
  })

  it('are added once, and relates is the same from both sides', () => {
    const ledger = logOf({ kind: 'relates', from: a, to: b })
    expect(decideLink(ledger, { kind: 'relates', from: b, to: a })).toEqual([])
    expect(decideUnlink(ledger, { kind: 'relates', from: b, to: a })).toEqual([
      { type: 'unlinked', issue: a, kind: 'relates', target: b },
    ])
    expect(decideUnlink(ledger, { kind: 'blocks', from: a, to: b })).toEqual([])
  })

  it('end the search where merged clones have made a circle after all', () => {
    const ledger = logOf({ kind: 'blocks', from: a, to: b }, { kind: 'blocks', from: b, to: a })
    expect(findPath(ledger, 'blocks', a, c)).toBeUndefined()
  })
})
