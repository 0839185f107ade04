import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ulid } from '@switchyard/ground/ulid'
import { tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { commit, createStore, openStore, readLedger } from '../src/store/store.ts'
import { fixture, recordsIn } from './fixture.ts'

const author = { by: 'ada', now: () => 1_732_002_000_000, ulid }
const k3vd = 'auth-k3vd7rm2w9ht'

function storeWithIssues() {
  const root = tempFolder('store')
  mkdirSync(join(root, '.tissue'))
  copyFileSync(fixture, join(root, '.tissue/issues.jsonl'))
  return { root, store: openStore({ cwd: root, env: {} }) }
}

describe('the store', () => {
  it('reads the log anew when another file of the same length took its place before the section', async () => {
    const { root, store } = storeWithIssues()
    const text = readFileSync(store.log, 'utf8')
    const titles: unknown[] = []
    await commit(
      store,
      author,
      (ledger) => {
        titles.push(ledger.issues.get(k3vd)?.fields.title?.value)
        // In place, so that neither inode nor size tells.
        writeFileSync(store.log, text.replace('Fix login', 'Fix_login').replace('"dropped":0', '"dropped":9'))
        return [{ type: 'commented', issue: k3vd, body: 'after all' }]
      },
      { section: async (_path, body) => body() },
    )
    expect(titles).toEqual(['Fix login', 'Fix_login'])
    expect(recordsIn(root).at(-1)).toMatchObject({ seq: 27, body: 'after all', by: 'ada' })
  })

  it('writes nothing, not even its folder, when there is nothing to write or the decision fails', async () => {
    const store = openStore({ cwd: tempFolder('store'), env: {} })
    expect((await commit(store, author, () => [])).events).toEqual([])
    const refusal = new Error('no')
    await expect(
      commit(store, author, () => {
        throw refusal
      }),
    ).rejects.toBe(refusal)
    expect(() => readFileSync(join(store.path, '.gitignore'))).toThrow('ENOENT')
  })

  it('completes what a maker that was killed left of it, and keeps what a user wrote', () => {
    const { store } = storeWithIssues()
    const half = { ...store, log: join(store.path, 'none') }
    writeFileSync(join(store.path, '.gitignore'), '')
    writeFileSync(join(store.path, '.gitattributes'), 'mine\n')
    createStore(half, {})
    expect(readFileSync(join(store.path, '.gitignore'), 'utf8')).toBe('*.lock*\n')
    expect(readFileSync(join(store.path, '.gitattributes'), 'utf8')).toBe('mine\n')
  })

  it('counts damaged lines and reads on', () => {
    const { store } = storeWithIssues()
    writeFileSync(store.log, '{"v":1,\n[1]\n{"v":2}\n', { flag: 'a' })
    const { damaged, ledger } = readLedger(store.log)
    expect([damaged, ledger.issues.size, ledger.maxSeq]).toEqual([2, 4, 26])
  })
})
