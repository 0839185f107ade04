import { Failure } from '@switchyard/ground/failure'
import { describe, expect, it } from 'vitest'
import { foldRecords } from '../src/log/fold-all.ts'
import { decideLinks, decideUnlinks, refuseLinks } from '../src/ready/deps.ts'
import type { Dep } from '../src/schema/event-schema.ts'

const [a, b, c] = ['app-a', 'app-b', 'app-c']

function logOf(...deps: Dep[]) {
  return foldRecords(
    deps.map(({ kind, from, to }, index) => {
      return { v: 1, id: `E${index}`, seq: index, at: 0, by: 'ada', type: 'linked', issue: from, kind, target: to }
    }),
  )
}

describe('links', () => {
  it('make no circle, and the refusal names the way around', () => {
    const ledger = logOf({ kind: 'blocks', from: a, to: b }, { kind: 'blocks', from: b, to: c })
    expect(() => decideLinks(ledger, [{ kind: 'blocks', from: c, to: a }])).toThrow(
      'expected no circle, this would make one: app-c blocks app-a blocks app-b blocks app-c',
    )
    expect(() => decideLinks(ledger, [{ kind: 'blocks', from: a, to: a }])).toThrow(Failure)
  })

  it('of several kinds make circles only where they are waited for', () => {
    const ledger = logOf({ kind: 'blocks', from: a, to: b }, { kind: 'relates', from: a, to: c })
    expect(decideLinks(ledger, [{ kind: 'supersedes', from: b, to: a }])).toHaveLength(1)
    expect(decideLinks(ledger, [{ kind: 'relates', from: b, to: a }])).toHaveLength(1)
    expect(decideLinks(ledger, [{ kind: 'parent', from: b, to: a }])).toHaveLength(1)
  })

  it('are added once, and relates is the same from both sides', () => {
    const ledger = logOf({ kind: 'relates', from: a, to: b })
    expect(decideLinks(ledger, [{ kind: 'relates', from: b, to: a }])).toEqual([])
    expect(decideUnlinks(ledger, [{ kind: 'relates', from: b, to: a }])).toEqual([
      { type: 'unlinked', issue: a, kind: 'relates', target: b },
    ])
    expect(decideUnlinks(ledger, [{ kind: 'relates', from: b, to: c }])).toEqual([])
  })

  it('that are added together are one line', () => {
    const [entry, ...more] = decideLinks(logOf(), [
      { kind: 'blocks', from: a, to: b },
      { kind: 'blocks', from: a, to: c },
    ])
    expect(more).toEqual([])
    expect(entry).toMatchObject({ type: 'batch', drafts: [{ target: b }, { target: c }] })
  })

  it('give a child one parent, and two new ones are one too many as well', () => {
    const ledger = logOf({ kind: 'parent', from: a, to: c })
    const second: Dep = { kind: 'parent', from: b, to: c }
    expect(() => decideLinks(ledger, [second])).toThrow('expected app-c to have no parent yet, it is a child of app-a')
    expect(decideLinks(ledger, [second], { force: true })).toMatchObject([
      {
        type: 'batch',
        drafts: [
          { type: 'unlinked', issue: a, target: c },
          { type: 'linked', issue: b, target: c },
        ],
      },
    ])
    expect(() => refuseLinks(logOf(), [{ kind: 'parent', from: a, to: c }, second])).toThrow('to have no parent yet')
  })

  it('may turn a parent and its child around when the old link goes with it', () => {
    const ledger = logOf({ kind: 'parent', from: a, to: b }, { kind: 'parent', from: b, to: c })
    expect(() => decideLinks(ledger, [{ kind: 'parent', from: c, to: b }], { force: true })).toThrow('no circle')
    expect(decideLinks(ledger, [{ kind: 'parent', from: a, to: c }], { force: true })).toHaveLength(1)
  })
})
