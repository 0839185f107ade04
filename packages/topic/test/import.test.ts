import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ulid } from '@switchyard/ground/ulid'
import { checkLog, seal } from '@switchyard/jsonl'
import { scaled, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { type Foreign, importMessages, openImport } from '../src/import.ts'
import { listTopics, postMessage, readMessages, topicPath, withBody } from '../src/index.ts'

const now = 1_763_762_400_000

function freshStore() {
  const path = tempFolder()
  return { path: join(path, '.jwz'), root: path, reason: 'a test', repository: undefined }
}

function foreign(id: string, body = `body of ${id}`, more: Record<string, unknown> = {}): Foreign {
  return { v: 1, id, at: 5, topic: 'elsewhere', from: 'ann', body, ...more }
}

describe('importMessages', () => {
  it('adds what is not there, with its own id and time, in the order given', async () => {
    const store = freshStore()
    const posted = await postMessage(store, { topic: 't', from: 'bob', body: 'mine' }, now)
    const imported = await importMessages(
      store,
      't',
      [foreign('b'), foreign('a', 'x', { at: 7, later: { z: 1 } })],
      now,
    )
    expect(imported).toEqual({ added: ['b', 'a'], present: [], differing: [] })
    const messages = [...readMessages(store, 't')].map(({ message }) => message)
    expect(messages).toEqual([
      posted,
      { v: 1, id: 'b', at: 5, topic: 't', from: 'ann', body: 'body of b' },
      { v: 1, id: 'a', at: 7, topic: 't', from: 'ann', body: 'x', later: { z: 1 } },
    ])
  })

  it('adds nothing a second time, however the fields are ordered and wherever the body lies', async () => {
    const store = freshStore()
    const long = foreign('long', 'é'.repeat(30_000), { data: { a: 1, b: [2] } })
    await importMessages(store, 't', [foreign('a'), long], now)
    const before = readFileSync(topicPath(store, 't'), 'utf8')
    const turned = Object.fromEntries(Object.entries({ ...long, data: { b: [2], a: 1 } }).reverse())
    const again = await importMessages(store, 't', [foreign('a'), { ...turned, id: 'long' }], now)
    expect(again).toEqual({ added: [], present: ['a', 'long'], differing: [] })
    expect(readFileSync(topicPath(store, 't'), 'utf8')).toBe(before)
    const [, entry] = readMessages(store, 't')
    expect(entry && withBody(store, entry.message).body).toBe(long['body'])
    expect(entry?.message.body.length).toBeLessThan(600)
  })

  it('keeps what is there and names what differs, within one call too', async () => {
    const store = freshStore()
    await importMessages(store, 't', [foreign('a')], now)
    const imported = await importMessages(store, 't', [foreign('a', 'other'), foreign('b'), foreign('b', 'other')], now)
    expect(imported).toEqual({ added: ['b'], present: [], differing: ['a', 'b'] })
    expect([...readMessages(store, 't')].map(({ message }) => message.body)).toEqual(['body of a', 'body of b'])
  })

  it('leaves out the condition, which was judged where the record comes from', async () => {
    const store = freshStore()
    await importMessages(store, 't', [foreign('a', 'x', { expect: 'gone' })], now)
    const [entry] = readMessages(store, 't')
    expect(entry?.message).not.toHaveProperty('expect')
    expect(await importMessages(store, 't', [foreign('a', 'x')], now)).toMatchObject({ present: ['a'] })
  })

  it('takes records of other kinds, and finds ids in sealed segments', async () => {
    const store = freshStore()
    const ack: Foreign = { type: 'ack', v: 1, id: 'k', at: 1, topic: 'elsewhere', from: 'ann', message: 'a' }
    await importMessages(store, 't', [foreign('a'), ack], now)
    await seal(topicPath(store, 't'), ulid(now))
    expect(await importMessages(store, 't', [ack, foreign('c'), foreign('a')], now)).toEqual({
      added: ['c'],
      present: ['k', 'a'],
      differing: [],
    })
    expect([...readMessages(store, 't')].map(({ message }) => message.id)).toEqual(['a', 'c'])
  })

  it('makes no topic for nothing, and takes records one batch at a time', async () => {
    const store = freshStore()
    expect(await importMessages(store, 't', [], now)).toEqual({ added: [], present: [], differing: [] })
    expect(existsSync(store.path)).toBe(false)
    let handed = 0
    const records = function* () {
      for (; handed < 12; handed++) {
        // Every 4 MB are in the log before more is asked for.
        if (handed === 8) expect([...readMessages(store, 'deep:t')].length).toBeGreaterThanOrEqual(4)
        yield foreign(`m${handed}`, `${handed}${'x'.repeat(1024 * 1024)}`)
      }
    }
    expect((await importMessages(store, 'deep:t', records(), now)).added).toHaveLength(12)
    expect(readdirSync(join(store.path, 'blobs')).length).toBeGreaterThan(0)
    expect(listTopics(store)).toEqual(['deep:t'])
  })

  it('has each record once when several import the same at once, beside one that posts', async () => {
    const store = freshStore()
    const count = scaled(5000)
    const all = Array.from({ length: count }, (_, place) => foreign(`id-${place}`, `${place} ${'x'.repeat(2000)}`))
    const posting = async () => {
      for (let n = 0; n < 20; n++) await postMessage(store, { topic: 't', from: 'p', body: `${n}` }, now)
    }
    const results = await Promise.all([
      importMessages(store, 't', all, now),
      importMessages(store, 't', all.toReversed(), now),
      posting(),
    ])
    const added = results.flatMap((result) => result?.added ?? [])
    expect(added).toHaveLength(count)
    const check = checkLog(topicPath(store, 't'))
    expect(check).toMatchObject({ records: count + 20, duplicates: 0, corrupt: [] })
  })

  it('heals a torn line and refuses fields too long for a line', async () => {
    const store = freshStore()
    await postMessage(store, { topic: 't', from: 'bob', body: 'mine' }, now)
    appendFileSync(topicPath(store, 't'), '{"v":1,"id":"to')
    await importMessages(store, 't', [foreign('a')], now)
    expect([...readMessages(store, 't')]).toHaveLength(2)
    const wide = foreign('wide', 'x', { data: 'x'.repeat(40_000) })
    await expect(importMessages(store, 't', [wide], now)).rejects.toMatchObject({ kind: 'usage' })
  })
})

describe('openImport', () => {
  it('knows at each call what came before it, its own and others', async () => {
    const store = freshStore()
    const take = openImport(store, 't')
    expect((await take([foreign('a')], now)).added).toEqual(['a'])
    await importMessages(store, 't', [foreign('b')], now)
    expect(await take([foreign('a'), foreign('b'), foreign('c')], now)).toEqual({
      added: ['c'],
      present: ['a', 'b'],
      differing: [],
    })
  })

  it('adds after a failure what the failed call did not', async () => {
    const store = freshStore()
    const take = openImport(store, 't')
    const folder = join(store.path, 'topics')
    await take([foreign('a')], now)
    rmSync(folder, { recursive: true })
    writeFileSync(folder, '')
    await expect(take([foreign('b')], now)).rejects.toMatchObject({ kind: 'failed' })
    rmSync(folder)
    expect((await take([foreign('a'), foreign('b')], now)).added).toEqual(['a', 'b'])
  })
})
