import { readFileSync } from 'node:fs'
import { tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { logOf, recordsIn } from './fixture.ts'
import { json, tissue } from './tissue.ts'

/** A store outside any repository with one issue for each title, and their ids. */
function storeWith(...titles: string[]): { root: string; ids: string[] } {
  const root = tempFolder('close')
  return { root, ids: titles.map((title) => tissue(root, ['new', title]).stdout.trim()) }
}

describe('tissue close', () => {
  it('refuses what has open children, unless they close with it or it is forced', () => {
    const { root, ids } = storeWith('Parent', 'Child')
    const [parent = '', child = ''] = ids
    tissue(root, ['dep', 'add', parent, 'parent', child])
    expect(tissue(root, ['close', parent])).toEqual({
      code: 5,
      stdout: '',
      stderr: `tissue: expected ${parent} to have no open children, it has ${child}; close those first, or override with --force\n`,
    })
    expect(tissue(root, ['status', parent, 'closed']).code).toBe(5)
    expect(tissue(root, ['status', parent, 'duplicate']).code).toBe(5)
    const before = recordsIn(root).length
    expect(tissue(root, ['close', parent, child])).toEqual({ code: 0, stdout: `${parent}\n${child}\n`, stderr: '' })
    expect(recordsIn(root)).toHaveLength(before + 1)
    tissue(root, ['reopen', parent, child])
    expect(tissue(root, ['close', parent, '--force']).code).toBe(0)
    expect(json(root, 'show', child).status).toBe('open')
  })

  it('--duplicate-of ends an issue as a duplicate, with the link, in one line; again without an event', () => {
    const { root, ids } = storeWith('Same', 'Original')
    const [same = '', original = ''] = ids
    const before = recordsIn(root).length
    const args = ['close', same, '--duplicate-of', original, '--reason', 'seen before']
    expect(tissue(root, args)).toEqual({ code: 0, stdout: `${same}\n`, stderr: '' })
    expect(recordsIn(root)).toHaveLength(before + 1)
    expect(json(root, 'show', same)).toMatchObject({
      status: 'duplicate',
      close_reason: 'seen before',
      deps: [{ kind: 'duplicates', from: same, to: original }],
    })
    const after = readFileSync(logOf(root))
    expect(tissue(root, args).code).toBe(0)
    expect(tissue(root, ['close', same]).code).toBe(0)
    expect(readFileSync(logOf(root))).toEqual(after)
    expect(tissue(root, ['close', original, '--duplicate-of', same])).toMatchObject({ code: 5 })
    expect(tissue(root, ['close', original, '--duplicate-of', original]).code).toBe(2)
    expect(tissue(root, ['close', original, '--duplicate-of', 'nope']).code).toBe(3)
    expect(tissue(root, ['close', original, '--duplicate-of', same, '--superseded-by', same]).code).toBe(2)
    expect(readFileSync(logOf(root))).toEqual(after)
  })

  it('--superseded-by ends an issue for another that takes its place; also one that is closed already', () => {
    const { root, ids } = storeWith('Old', 'Older', 'Heir')
    const [old = '', older = '', heir = ''] = ids
    tissue(root, ['close', older])
    expect(tissue(root, ['close', old, older, '--superseded-by', heir]).stdout).toBe(`${old}\n${older}\n`)
    for (const id of [old, older]) {
      expect(json(root, 'show', id)).toMatchObject({
        status: 'closed',
        deps: [{ kind: 'supersedes', from: heir, to: id }],
      })
    }
    expect(json(root, 'show', heir).status).toBe('open')
  })

  it('--claim-next takes what is ready then, also what has waited for the closed one, in the same write', () => {
    const { root, ids } = storeWith('First', 'Second', 'Unrelated')
    const [first = '', second = '', unrelated = ''] = ids
    tissue(root, ['dep', 'add', first, 'blocks', second])
    tissue(root, ['edit', second, '--priority', '1'])
    tissue(root, ['claim', first])
    const before = recordsIn(root).length
    expect(tissue(root, ['close', first, '--claim-next'])).toEqual({ code: 0, stdout: `${second}\n`, stderr: '' })
    expect(recordsIn(root)).toHaveLength(before + 2)
    expect(json(root, 'show', first).status).toBe('closed')
    expect(json(root, 'show', second).claim).toMatchObject({ by: 'ada' })
    expect(json(root, 'close', second, '--claim-next')).toMatchObject({ id: unrelated, claim: { by: 'ada' } })
    expect(tissue(root, ['close', unrelated, '--claim-next'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'closed; nothing is ready\n',
    })
    expect(json(root, 'show', unrelated).status).toBe('closed')
  })
})

describe('tissue reopen', () => {
  it('opens closed ones and duplicates again, without their claims, and leaves others as they are', () => {
    const { root, ids } = storeWith('Closed', 'Duplicate', 'Paused')
    const [closed = '', duplicate = '', paused = ''] = ids
    tissue(root, ['claim', closed])
    tissue(root, ['close', closed])
    tissue(root, ['close', duplicate, '--duplicate-of', closed])
    tissue(root, ['status', paused, 'paused', '--reason', 'waits'])
    expect(recordsIn(root).at(-1)).toMatchObject({ status: 'paused', reason: 'waits' })
    const before = recordsIn(root).length
    expect(tissue(root, ['reopen', ...ids, '--reason', 'it fails again'])).toEqual({
      code: 0,
      stdout: ids.map((id) => `${id}\n`).join(''),
      stderr: '',
    })
    expect(recordsIn(root)).toHaveLength(before + 1)
    for (const id of [closed, duplicate]) expect(json(root, 'show', id)).toMatchObject({ status: 'open', claim: null })
    expect(json(root, 'show', paused).status).toBe('paused')
    const after = readFileSync(logOf(root))
    expect(json(root, 'reopen', closed)).toMatchObject({ id: closed, status: 'open' })
    expect(readFileSync(logOf(root))).toEqual(after)
    expect(tissue(root, ['ready', '--quiet']).stdout.split('\n')).toHaveLength(3)
    expect(tissue(root, ['reopen', 'nope']).code).toBe(3)
    expect(tissue(root, ['reopen']).code).toBe(2)
  })
})
