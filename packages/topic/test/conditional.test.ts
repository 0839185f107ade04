import { readLines } from '@switchyard/jsonl'
import { scaled, tempFolder } from '@switchyard/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Entry,
  followTopics,
  locateStore,
  readMessages,
  readMessagesBackwards,
  type Store,
  topicPath,
} from '../src/index.ts'
import { type Found, histories, type Said, type Step, WrittenTopic } from './written-topic.ts'

const root = tempFolder('conditional')
let stores = 0
function freshStore(): Store {
  stores += 1
  return locateStore({ cwd: root, env: {}, name: '.jwz', variable: 'JWZ_STORE', override: `${root}/${stores}` })
}

async function written(store: Store, said: Said, steps: readonly Step[]): Promise<WrittenTopic> {
  const topic = new WrittenTopic(topicPath(store, 't'))
  for (const step of steps) await topic.apply(step, said)
  return topic
}

/** What a reader shows of these lines: each id that counts once, and a void one as often as it was said anew. */
function shown(found: readonly Found[], voidToo = false): string[] {
  const seen = new Set<string>()
  return found.flatMap(({ id, verdict }) => {
    if (verdict !== 'counts') return voidToo && verdict !== 'repeats' ? [`${id} void`] : []
    if (seen.has(id)) return []
    seen.add(id)
    return [id]
  })
}

const nameOf = ({ message, isVoid }: Entry) => (isVoid ? `${message.id} void` : message.id)
const forwards = (store: Store, options = {}) => [...readMessages(store, 't', options)].map(nameOf)
const backwards = (store: Store, options = {}) => [...readMessagesBackwards(store, 't', options)].map(nameOf).reverse()

/** The places of the lines of messages, in the order of the log. */
function placesOf(store: Store) {
  return [...readLines(topicPath(store, 't'))]
    .filter(({ text }) => text.startsWith('{"v":1'))
    .map(({ inode, end }) => ({ inode, offset: end }))
}

async function followed(store: Store, from: 'start' | { inode: number; offset: number }, count: number) {
  const stop = new AbortController()
  const names: string[] = []
  for await (const entry of followTopics(store, { isMeant: () => true, from: () => from, signal: stop.signal })) {
    names.push(nameOf(entry))
    if (names.length === count) break
  }
  stop.abort()
  return names
}

const small = histories(fc.constant(0))
/** Far enough apart that a repetition is a message of its own, and more than is judged at once. */
const large = histories(fc.constantFrom(0, 4_000, 9_000, 30_000))

describe('conditional messages', () => {
  it('count alike for who reads forwards, backwards and from any place', async () => {
    await fc.assert(
      fc.asyncProperty(small, async ({ said, steps }) => {
        const store = freshStore()
        const { found } = (await written(store, said, steps)).read()
        for (const voidToo of [false, true]) {
          expect(forwards(store, { voidToo })).toEqual(shown(found, voidToo))
          expect(backwards(store, { voidToo })).toEqual(shown(found, voidToo))
        }
        for (const [at, from] of placesOf(store).entries())
          expect(forwards(store, { from })).toEqual(shown(found.slice(at + 1)))
      }),
      { numRuns: scaled(1500) },
    )
  })

  it('count alike however far apart they are', async () => {
    await fc.assert(
      fc.asyncProperty(large, async ({ said, steps }) => {
        const store = freshStore()
        const { found } = (await written(store, said, steps)).read()
        expect(forwards(store)).toEqual(shown(found))
        expect(backwards(store).sort()).toEqual(shown(found).sort())
        for (const [at, from] of placesOf(store).entries())
          expect(forwards(store, { from })).toEqual(shown(found.slice(at + 1)))
      }),
      { numRuns: scaled(300) },
    )
  })

  it('are not judged by what lies beyond where judging began', async () => {
    const store = freshStore()
    const said = { a: { bytes: 30_000 }, f: { expect: null, bytes: 9_000 } }
    await written(
      store,
      said,
      [...'afaaf'].map((id) => ({ act: 'line', id, late: false })),
    )
    expect(backwards(store, { voidToo: true })).toEqual(['f void', 'a', 'f void'])
  })

  it('come to a follower as they count, from any place', async () => {
    await fc.assert(
      fc.asyncProperty(small, fc.nat(), async ({ said, steps }, place) => {
        const store = freshStore()
        const topic = await written(store, said, [...steps, { act: 'line', id: 'last', late: false }])
        topic.mark()
        const { found } = topic.read()
        const places = placesOf(store)
        const at = place % places.length
        const from = places[at - 1] ?? 'start'
        const expected = shown(found.slice(at))
        expect(await followed(store, from, expected.length)).toEqual(expected)
      }),
      { numRuns: scaled(500) },
    )
  })

  it('come to a follower who was there when they were written', async () => {
    await fc.assert(
      fc.asyncProperty(small, async ({ said, steps }) => {
        const store = freshStore()
        const topic = await written(store, said, [])
        const stop = new AbortController()
        const names: string[] = []
        const following = (async () => {
          for await (const entry of followTopics(store, {
            isMeant: () => true,
            from: () => 'start',
            signal: stop.signal,
          })) {
            names.push(nameOf(entry))
            if (entry.message.id === 'last') return
          }
        })()
        for (const step of steps) {
          // A follower decides what a killed sealer left, so the list must know of it.
          if (step.act === 'rename') continue
          await topic.apply(step, said)
          if (step.act === 'seal') await new Promise((resolve) => setTimeout(resolve, 1))
        }
        await topic.apply({ act: 'line', id: 'last', late: false }, said)
        await following
        expect(names.sort()).toEqual(shown(topic.read().found).sort())
      }),
      { numRuns: scaled(300) },
    )
  })
})
