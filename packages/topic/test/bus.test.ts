import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ulid } from '@switchyard/ground/ulid'
import { seal } from '@switchyard/jsonl'
import { git, tempFolder, tempRepo } from '@switchyard/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findBlobFault } from '../src/blob-file.ts'
import {
  busExists,
  createBus,
  endOfTopic,
  listTopics,
  locateStore,
  postMessage,
  postMessages,
  readMessages,
  readMessagesBackwards,
  topicExists,
  topicPath,
  topicPattern,
  withBody,
} from '../src/index.ts'

function storeIn(cwd = tempRepo()) {
  return locateStore({ cwd, env: {}, name: '.jwz', variable: 'JWZ_STORE' })
}

const draft = { topic: 't', from: 'ann', body: 'hi' }

function line(id: string, body: string): string {
  return `${JSON.stringify({ v: 1, id, at: 1, topic: 't', from: 'x', body })}\n`
}

describe('createBus', () => {
  it('makes what is missing and hides it from git', () => {
    const store = storeIn()
    expect(busExists(store)).toBe(false)
    createBus(store)
    createBus(store)
    expect(busExists(store)).toBe(true)
    expect(git(store.root, 'status', '--porcelain')).toBe('')
  })

  it('finishes what a killed maker began', () => {
    const store = storeIn()
    mkdirSync(store.path)
    writeFileSync(join(store.path, '.gitignore.1.draft'), '')
    createBus(store)
    expect(readFileSync(join(store.path, '.gitignore'), 'utf8')).toBe('*\n')
    expect(git(store.root, 'status', '--porcelain')).toBe('')
  })

  it('fails where a file is in its place', () => {
    const cwd = tempFolder('refused')
    writeFileSync(join(cwd, '.jwz'), '')
    expect(() => createBus(storeIn(cwd))).toThrow(/expected a folder for the store at .*\.jwz is no folder/)
  })
})

describe('postMessage', () => {
  it('returns the message as it stands in the log', async () => {
    const store = storeIn()
    const posted = await postMessage(store, { ...draft, tags: ['a'], data: null, id: 'event-1' }, 17)
    expect(posted).toEqual({ v: 1, id: 'event-1', at: 17, ...draft, tags: ['a'], data: null })
    expect(readFileSync(topicPath(store, 't'), 'utf8')).toBe(`${JSON.stringify(posted)}\n`)
    expect([...readMessages(store, 't')].map(({ message }) => message)).toEqual([posted])
  })

  it('keeps any body', async () => {
    const store = storeIn()
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), fc.constantFrom(1, 400), async (text, times) => {
        const posted = await postMessage(store, { ...draft, body: text.repeat(times) }, 1)
        const [newest] = readMessagesBackwards(store, 't')
        expect(newest && withBody(store, newest.message)).toEqual(posted)
      }),
      { numRuns: 60 },
    )
  })

  it('moves a body to a blob from the byte on that makes the line too long', async () => {
    const store = storeIn()
    const bare = JSON.stringify(await postMessage(store, { ...draft, body: '' }, 1)).length
    const fits = await postMessage(store, { ...draft, body: 'x'.repeat(32 * 1024 - bare) }, 1)
    const spills = await postMessage(store, { ...draft, body: 'x'.repeat(32 * 1024 - bare + 1) }, 1)
    expect(fits.blob).toBeUndefined()
    expect(spills.blob).toMatchObject({ bytes: spills.body.length })
  })

  it('cuts the beginning that stays in the line between characters', async () => {
    const store = storeIn()
    for (const start of ['', 'x']) {
      await postMessage(store, { ...draft, body: start + '🚂'.repeat(20_000) }, 1)
      const [newest] = readMessagesBackwards(store, 't')
      expect(newest?.message.body).toMatch(/^x?(🚂){249,250}$/u)
    }
  })

  it('refuses a body above 64 MiB and fields that no line holds', async () => {
    const store = storeIn()
    const long = { ...draft, body: 'x'.repeat(64 * 1024 * 1024 + 1) }
    await expect(postMessage(store, long, 1)).rejects.toThrow('a body has at most 67108864 bytes; got 67108865')
    const wide = { ...draft, to: ['x'.repeat(40_000)] }
    await expect(postMessage(store, wide, 1)).rejects.toThrow('beside its body have at most 32768 bytes; got 4')
    // What is refused leaves nothing behind.
    expect(existsSync(join(store.path, 'blobs'))).toBe(false)
  })

  it('posts many with one write, next to each other; none makes no store', async () => {
    const store = storeIn()
    expect(await postMessages(store, 't', [], 1)).toEqual([])
    expect(existsSync(store.path)).toBe(false)
    const drafts = Array.from({ length: 500 }, (_, at) => ({ from: 'ann', body: `${at}` }))
    const posted = await postMessages(store, 't', drafts, 1)
    expect([...readMessages(store, 't')].map(({ message }) => message)).toEqual(posted)
  })
})

describe('a blob', () => {
  it('is written once for the same bytes, is whole or missing, and is told apart when it is not', async () => {
    const store = storeIn()
    const body = 'x'.repeat(40_000)
    const missing: string[] = []
    const first = await postMessage(store, { ...draft, body }, 1)
    const { blob } = await postMessage(store, { ...draft, body }, 2)
    expect(blob).toEqual(first.blob)
    if (!blob) throw new Error('no blob')
    expect(findBlobFault(store, blob)).toBeUndefined()
    const path = join(store.path, 'blobs', blob.sha256.slice(0, 2), blob.sha256)
    appendFileSync(path, 'y')
    expect(findBlobFault(store, blob)).toBe(`its blob ${blob.sha256} has other bytes`)
    rmSync(path)
    expect(findBlobFault(store, blob)).toBe(`its blob ${blob.sha256} is missing`)
    const cut = { ...first, body: 'x' }
    expect(withBody(store, cut, ({ id }) => missing.push(id))).toEqual(cut)
    expect(missing).toEqual([first.id])
  })
})

describe('readMessages and readMessagesBackwards', () => {
  it('agree on which line with an id counts, as long as its repetition is near', () => {
    const store = storeIn()
    createBus(store)
    const path = topicPath(store, 't')
    mkdirSync(dirname(path), { recursive: true })
    let round = 0
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 30 }), (order) => {
        round += 1
        writeFileSync(path, order.map((id, at) => line(`${round}-${id}`, `${at}`)).join(''))
        const bodies = (entries: Iterable<{ message: { body: string } }>) =>
          [...entries].map(({ message }) => message.body)
        const forwards = bodies(readMessages(store, 't'))
        expect(bodies(readMessagesBackwards(store, 't')).reverse()).toEqual(forwards)
        expect(forwards).toEqual(order.flatMap((id, at) => (order.indexOf(id) === at ? [`${at}`] : [])))
      }),
    )
  })

  it('tell of each line that is no message once, also over segments', async () => {
    const store = storeIn()
    await postMessage(store, draft, 1)
    const path = topicPath(store, 't')
    appendFileSync(path, 'damaged\n{"type":"later"}\n')
    await seal(path, ulid(1))
    await postMessage(store, draft, 1)
    for (const read of [readMessages, readMessagesBackwards]) {
      const skipped: string[] = []
      const entries = [...read(store, 't', { onSkipped: ({ text }) => skipped.push(text) })]
      expect(entries).toHaveLength(2)
      expect(skipped.sort()).toEqual(['damaged', '{"type":"later"}'])
    }
  })

  it('read little of a long log from its end', async () => {
    const store = storeIn()
    await postMessages(
      store,
      't',
      Array.from({ length: 3000 }, (_, at) => ({ from: 'ann', body: `${at}` })),
      1,
    )
    const skipped: unknown[] = []
    appendFileSync(topicPath(store, 't'), line('last', 'last'))
    const [newest] = readMessagesBackwards(store, 't', { onSkipped: (damaged) => skipped.push(damaged) })
    expect(newest?.message.id).toBe('last')
  })
})

describe('listTopics', () => {
  it('has every topic by name, sealed ones and those below another, and nothing else that lies there', async () => {
    const store = storeIn()
    expect(listTopics(store)).toEqual([])
    const names = ['issue', 'issue:1', 'issue:1:deep', 'Ärger', '.hidden', 'a.jsonl:b', 'x.lock']
    for (const topic of names) await postMessage(store, { ...draft, topic }, 1)
    await seal(topicPath(store, 'issue:1'), ulid(5))
    mkdirSync(`${topicPath(store, 'issue')}.lock/inner`, { recursive: true })
    for (const stray of ['README', 'Upper.jsonl', 'a%zz.jsonl', 't.jsonl.lock.owner'])
      writeFileSync(join(store.path, 'topics', stray), '')
    expect(listTopics(store)).toEqual([...names].sort())
    expect([topicExists(store, 'issue:1'), topicExists(store, 'issue:2')]).toEqual([true, false])
    expect(() => topicExists(store, 'a::b')).toThrow(/a topic is words/)
  })
})

describe('endOfTopic', () => {
  it('is behind the last whole line, so that what comes later is what is read from there', async () => {
    const store = storeIn()
    expect(endOfTopic(store, 't')).toBeUndefined()
    await postMessage(store, draft, 1)
    appendFileSync(topicPath(store, 't'), 'damaged\n')
    const from = endOfTopic(store, 't')
    const later = await postMessage(store, draft, 2)
    expect([...readMessages(store, 't', from && { from })].map(({ message }) => message)).toEqual([later])
  })
})

describe('topicPattern', () => {
  it.each<[string, string[], string[]]>([
    ['issue:*', ['issue:1', 'issue:1:deep', 'issue:'], ['issue', 'xissue:1']],
    ['issue:?', ['issue:1', 'issue:🚂'], ['issue:12', 'issue:']],
    ['*', ['a', 'a:b', 'ä\nb'], []],
    ['a.b+(c)[d]', ['a.b+(c)[d]'], ['axb+(c)[d]', 'a.bb(c)d']],
    ['news', ['news'], ['news:x', 'News']],
    ['*ab*b?', ['aababbb', 'ab:bc'], ['abb', 'bab']],
    ['', [''], ['a']],
    // A regular expression would not come back from this.
    [`${'*a'.repeat(30)}b`, [`${'a'.repeat(190)}b`], ['a'.repeat(200)]],
  ])('%s', (pattern, meant, others) => {
    const isMeant = topicPattern(pattern)
    expect([...meant, ...others].filter(isMeant)).toEqual(meant)
  })
})
