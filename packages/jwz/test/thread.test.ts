import { appendFileSync } from 'node:fs'
import type { Message } from '@switchyard/topic'
import { describe, expect, it } from 'vitest'
import { rootFinder, threadOf } from '../src/message/thread.ts'
import { threadedSchema } from '../src/schemas.ts'
import { failed, freshBus } from './bus.ts'

describe('jwz thread', () => {
  it('draws the thread of any of its members, replies below what they answer', () => {
    const { jwz, post } = freshBus()
    const root = post('t', 'root\nmore')
    post('t', 'not of it')
    const first = post('t', 'first', '--reply-to', root)
    const second = post('t', 'second', '--reply-to', root)
    const deep = post('t', 'deep', '--reply-to', first)
    const { code, stdout, stderr } = jwz(['thread', deep])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.replaceAll(/ ann \S+Z/g, '')).toBe(
      `${root}\n  root\n  more\n├─ ${first}\n│    first\n│  └─ ${deep}\n│       deep\n└─ ${second}\n     second\n`,
    )
    const depths = JSON.parse(jwz(['thread', second, '--json']).stdout)
    expect(depths.map(({ id, depth }: { id: string; depth: number }) => [id, depth])).toEqual([
      [root, 0],
      [first, 1],
      [deep, 2],
      [second, 1],
    ])
    expect(jwz(['thread', root, '-q']).stdout).toBe(`${root}\n${first}\n${deep}\n${second}\n`)
  })

  it('goes by the log and not by clocks, and outlives a first message that is not there', () => {
    const { cwd, jwz } = freshBus()
    const line = (id: string, at: number, reply_to: string) =>
      `${JSON.stringify({ v: 1, id, at, topic: 't', from: 'x', body: id, reply_to })}\n`
    jwz(['topic', 'new', 't'])
    appendFileSync(
      `${cwd}/.jwz/topics/t.jsonl`,
      line('id-b', 9, 'id-a') + line('id-c', 1, 'id-b') + line('id-d', 2, 'id-a'),
    )
    const { code, stdout } = jwz(['thread', 'id-c'])
    expect(code).toBe(0)
    expect(stdout.replaceAll(/ x \S+Z/g, '')).toBe(
      'id-a is not here\n├─ id-b\n│    id-b\n│  └─ id-c\n│       id-c\n└─ id-d\n     id-d\n',
    )
    const threaded = JSON.parse(jwz(['thread', 'id-d', '--json']).stdout)
    expect(threaded.map((each: unknown) => threadedSchema.parse(each).depth)).toEqual([1, 2, 1])
  })

  it('exits 3 when there is no such message', () => {
    const { jwz } = freshBus()
    expect(jwz(['thread', 'ZZZZ'])).toEqual(failed(3, 'no message ZZZZ; jwz search or jwz read shows ids'))
  })
})

describe('threads', () => {
  const message = (id: string, reply_to?: string): Message => ({
    v: 1,
    id,
    at: 0,
    topic: 't',
    from: 'x',
    body: id,
    ...(reply_to === undefined ? {} : { reply_to }),
  })
  const walk = (messages: readonly Message[], id: string) => {
    const rootOf = rootFinder(
      new Map(
        messages.flatMap((each): [string, string][] => (each.reply_to === undefined ? [] : [[each.id, each.reply_to]])),
      ),
    )
    const members = messages.filter((each) => rootOf(each.id) === rootOf(id))
    return threadOf(members, rootOf(id)).map(({ message, depth, gone }) => [message.id, depth, ...(gone ? [gone] : [])])
  }

  it('end on messages that answer each other, and begin with the smallest of them', () => {
    const messages = [message('c', 'b'), message('b', 'a'), message('a', 'c'), message('d', 'c'), message('e', 'e')]
    for (const id of ['a', 'b', 'c', 'd'])
      expect(walk(messages, id)).toEqual([
        ['a', 0],
        ['b', 1],
        ['c', 2],
        ['d', 3],
      ])
    expect(walk(messages, 'e')).toEqual([['e', 0]])
  })

  it('stay together when their first message is not there, and keep their depth', () => {
    const messages = [message('b', 'gone'), message('c', 'b'), message('d', 'gone'), message('e', 'elsewhere')]
    for (const id of ['b', 'c', 'd'])
      expect(walk(messages, id)).toEqual([
        ['b', 1, 'gone'],
        ['c', 2],
        ['d', 1],
      ])
  })

  it('take any length and any width', () => {
    const chain = Array.from({ length: 20_000 }, (_, at) => message(`${at}`, at === 0 ? undefined : `${at - 1}`))
    expect(walk(chain, '19999').at(-1)).toEqual(['19999', 19_999])
    const lead = threadOf(chain, '0').at(-1)?.lead ?? ''
    expect(lead.length).toBeLessThan(100)
    const fan = Array.from({ length: 200_000 }, (_, at) => message(`${at}`, at === 0 ? undefined : '0'))
    expect(threadOf(fan, '0')).toHaveLength(200_000)
  })
})
