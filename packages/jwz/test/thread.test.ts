import type { Message } from '@switchyard/topic'
import { describe, expect, it } from 'vitest'
import { findRoot, threadOf } from '../src/thread.ts'
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

  it('exits 3 when there is no such message', () => {
    const { jwz } = freshBus()
    expect(jwz(['thread', 'ZZZZ'])).toEqual(failed(3, 'no message ZZZZ; jwz search or jwz read shows ids'))
  })
})

describe('threadOf', () => {
  const message = (id: string, reply_to?: string): Message => ({
    v: 1,
    id,
    at: 0,
    topic: 't',
    from: 'x',
    body: id,
    ...(reply_to === undefined ? {} : { reply_to }),
  })

  it('ends on messages that answer each other, and begins where the parent is not there', () => {
    const messages = [message('a', 'b'), message('b', 'a'), message('c', 'gone'), message('d', 'c')]
    const byId = new Map(messages.map((each) => [each.id, each]))
    const walk = (id: string) => threadOf(messages, findRoot(byId, message(id, byId.get(id)?.reply_to)))
    expect(
      walk('a')
        .map((placed) => placed.message.id)
        .sort(),
    ).toEqual(['a', 'b'])
    expect(walk('d').map((placed) => placed.message.id)).toEqual(['c', 'd'])
  })
})
