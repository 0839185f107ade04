import { describe, expect, it } from 'vitest'
import { failed, freshBus } from './bus.ts'

describe('jwz reply', () => {
  it('answers in the topic of the message, wherever that is, by a part of its id in either case', () => {
    const { jwz, post, records } = freshBus()
    const id = post('issue:1', 'Ship it?')
    const answer = jwz(['reply', id.slice(-10).toLowerCase(), '-m', 'Yes', '--as', 'bob', '--to', 'ann'])
    const fromStdin = jwz(['reply', id, '-'], { input: 'And\nyes\n' })
    expect([answer.code, fromStdin.code]).toEqual([0, 0])
    expect(records('issue:1').slice(1)).toMatchObject([
      { id: answer.stdout.trim(), body: 'Yes', from: 'bob', reply_to: id, to: ['ann'] },
      { id: fromStdin.stdout.trim(), body: 'And\nyes\n', from: 'ann', reply_to: id },
    ])
  })

  it('exits 4 with the candidates when the part names several messages', () => {
    const { jwz, post } = freshBus()
    const ids = [post('a', '1'), post('a', '2'), post('b', '3')]
    expect(jwz(['reply', ids[0]?.slice(0, 4) ?? '', '-m', 'x'])).toEqual(
      failed(4, `${ids[0]?.slice(0, 4)} names 3 messages: ${ids[1]} ${ids[0]} ${ids[2]}; give more of the id`),
    )
  })

  it('exits 3 when there is no such message, 2 when there is no text', () => {
    const { jwz, post } = freshBus()
    const id = post('a', '1')
    expect(jwz(['reply', 'ZZZZ', '-m', 'x'])).toEqual(failed(3, 'no message ZZZZ; jwz search or jwz read shows ids'))
    expect(jwz(['reply', id, '-m', ''])).toEqual(failed(2, 'a message has some text; got an empty one'))
  })
})
