import { rmSync } from 'node:fs'
import { ulid } from '@switchyard/ground/ulid'
import { seal } from '@switchyard/jsonl'
import { tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { endOfTopic, followTopics, locateStore, postMessage, type Store, topicPath } from '../src/index.ts'

function freshStore(): Store {
  return locateStore({ cwd: tempRepo(), env: {}, name: '.jwz', variable: 'JWZ_STORE' })
}

function post(store: Store, topic: string, body: string) {
  return postMessage(store, { topic, from: 'ann', body }, 1)
}

/** The next `count` bodies with their topics. */
async function take(entries: AsyncGenerator<{ message: { topic: string; body: string } }>, count: number) {
  const taken: string[] = []
  while (taken.length < count) {
    const { value } = await entries.next()
    if (!value) throw new Error(`ended after ${taken}`)
    taken.push(`${value.message.topic} ${value.message.body}`)
  }
  return taken
}

describe('followTopics', () => {
  it('yields what comes behind the place it is given, on topics that are meant, old and new', async () => {
    const store = freshStore()
    await post(store, 'old', 'before')
    const end = endOfTopic(store, 'old')
    await post(store, 'old', 'after')
    const entries = followTopics(store, {
      isMeant: (topic) => topic !== 'other',
      from: () => end ?? 'start',
      signal: new AbortController().signal,
    })
    expect(await take(entries, 1)).toEqual(['old after'])
    await post(store, 'other', 'no')
    await post(store, 'brand:new', '1')
    await post(store, 'brand:new', '2')
    expect(await take(entries, 2)).toEqual(['brand:new 1', 'brand:new 2'])
    await entries.return(undefined)
  })

  it('makes the bus, ends when its signal is aborted, and keeps nothing alive', async () => {
    const store = freshStore()
    const stop = new AbortController()
    const next = followTopics(store, { isMeant: () => true, signal: stop.signal }).next()
    await post(store, 't', 'hi')
    expect((await next).value?.message.body).toBe('hi')
    const entries = followTopics(store, { isMeant: () => true, signal: stop.signal })
    const waiting = entries.next()
    stop.abort()
    expect(await waiting).toEqual({ value: undefined, done: true })
    await expect.poll(() => process.getActiveResourcesInfo().filter((kind) => kind === 'FSEventWrap')).toEqual([])
  })

  it('lets go of everything when its reader has enough', async () => {
    const store = freshStore()
    await post(store, 't', 'hi')
    const signal = new AbortController().signal
    for await (const { message } of followTopics(store, { isMeant: () => true, from: () => 'start', signal })) {
      expect(message.body).toBe('hi')
      break
    }
    await expect.poll(() => process.getActiveResourcesInfo().filter((kind) => kind === 'FSEventWrap')).toEqual([])
  })

  it('goes on when a topic is sealed, and when the store is removed by hand and made anew', async () => {
    const store = freshStore()
    await post(store, 't', '1')
    const entries = followTopics(store, {
      isMeant: () => true,
      from: () => 'start',
      signal: new AbortController().signal,
    })
    expect(await take(entries, 1)).toEqual(['t 1'])
    await seal(topicPath(store, 't'), ulid(1))
    await post(store, 't', '2')
    expect(await take(entries, 1)).toEqual(['t 2'])
    rmSync(store.path, { recursive: true })
    await post(store, 't', '3')
    await post(store, 'u', '4')
    expect((await take(entries, 2)).sort()).toEqual(['t 3', 'u 4'])
    await entries.return(undefined)
  })
})
