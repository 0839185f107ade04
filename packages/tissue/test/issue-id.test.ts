import { Failure } from '@switchyard/ground/failure'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findIssueId, makeIssueId, parsePrefix, prefixOf, shortIds } from '../src/text/issue-id.ts'
import { partOfKey } from '../src/text/key-id.ts'

const segment = fc.string({
  unit: fc.constantFrom(...'0123456789abcdefghjkmnpqrstvwxyz'),
  minLength: 12,
  maxLength: 12,
})

function failureOf(act: () => unknown): [number, string] {
  try {
    act()
  } catch (error) {
    if (error instanceof Failure) return [error.exitCode, error.message]
    throw error
  }
  return [0, '']
}

describe('issue ids', () => {
  it('begin with the name of the folder, in letters that need no quoting', () => {
    const folders = ['My App!', 'switchyard', '.hidden', 'a_b__c', '日本', '', 'A very long folder name indeed', '--']
    expect(folders.map(prefixOf)).toEqual([
      'my-app',
      'switchyard',
      'hidden',
      'a-b-c',
      'issue',
      'issue',
      'a-very-long-fold',
      'issue',
    ])
  })

  it('take a prefix that the user chose as it stands or not at all', () => {
    expect(parsePrefix('auth-2')).toBe('auth-2')
    for (const bad of ['', 'Auth', 'a b', '-a', 'a-', 'a'.repeat(17)])
      expect(failureOf(() => parsePrefix(bad))[0]).toBe(2)
  })

  it('are made again when they are taken', () => {
    const ulids = ['01JD0000000000AAAAAAAAAAAA', '01JD0000000000BBBBBBBBBBBB']
    const ulid = () => ulids.shift() ?? ''
    expect(makeIssueId({ prefix: 'app', ulid }, (id) => id === 'app-aaaaaaaaaaaa')).toBe('app-bbbbbbbbbbbb')
    const first = makeIssueId({ prefix: 'app', ulid, key: 'k' }, () => false)
    const second = makeIssueId({ prefix: 'app', ulid, key: 'k' }, (id) => id === first)
    expect([first, second]).toEqual([`app-${partOfKey('k', 0)}`, `app-${partOfKey('k', 1)}`])
  })

  it('are shown with four characters, or as many as tell them apart', () => {
    const ids = ['app-k3vd00000000', 'app-k3vd01000000', 'old-app-x9qa00000000']
    expect([...shortIds(ids).values()].sort()).toEqual(['app-k3vd00', 'app-k3vd01', 'old-app-x9qa'])
  })

  it('are found by their short form, its last part, in either case, and whole', () => {
    fc.assert(
      fc.property(fc.uniqueArray(segment, { minLength: 1, maxLength: 40 }), (segments) => {
        const ids = segments.map((text, index) => `${['a', 'my-app', 'my'][index % 3]}-${text}`)
        for (const [id, short] of shortIds(ids)) {
          const last = short.slice(short.lastIndexOf('-') + 1)
          expect([id, short, last, last.toUpperCase()].map((name) => findIssueId(ids, name))).toEqual([id, id, id, id])
        }
      }),
      { numRuns: 200 },
    )
  })

  it('name nothing by a part in the middle, by the prefix alone or by nothing at all', () => {
    const ids = ['my-app-k3vd00000000']
    for (const name of ['3vd', 'my', 'my-app', 'my-app-', 'app-k3vd', '', 'my-app-x']) {
      expect(failureOf(() => findIssueId(ids, name))[0], name).toBe(3)
    }
  })

  it('that are several are named in the failure', () => {
    const ids = ['app-k3vd00000000', 'app-k3va00000000', 'app-x00000000000']
    expect(failureOf(() => findIssueId(ids, 'k3'))).toEqual([
      4,
      'expected one issue, "k3" names 2: app-k3va00000000, app-k3vd00000000',
    ])
  })
})
