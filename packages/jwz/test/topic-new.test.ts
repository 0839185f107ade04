import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { newTopicSchema } from '../src/schemas.ts'
import { failed, freshBus, ok } from './bus.ts'

describe('jwz topic new', () => {
  it('makes an empty topic, once', () => {
    const { file, jwz } = freshBus()
    expect(jwz(['topic', 'new', 'issue:auth-123'])).toEqual(ok('issue:auth-123\n'))
    expect(readFileSync(file('issue:auth-123'), 'utf8')).toBe('')
    expect(jwz(['topic', 'list', '--quiet'])).toEqual(ok('issue:auth-123\n'))
    expect(jwz(['topic', 'new', 'issue:auth-123', '--json'])).toEqual(
      ok('{"v":1,"topic":"issue:auth-123","new":false}\n'),
    )
    expect(jwz(['topic', 'new', 'other', '--json'])).toEqual(ok('{"v":1,"topic":"other","new":true}\n'))
    expect(jwz(['topic', 'new', 'third', '-q'])).toEqual(ok('third\n'))
    newTopicSchema.parse(JSON.parse(jwz(['topic', 'new', 'fourth', '--json']).stdout))
    expect(jwz(['read', 'other'])).toEqual({ ...ok(''), stderr: 'no messages in other\n' })
    expect(jwz(['doctor', '--log'])).toMatchObject({ code: 0 })
  })

  it('leaves a topic that is there as it is', () => {
    const { jwz, post, records } = freshBus()
    const id = post('t', 'x')
    expect(jwz(['topic', 'new', 't', '-q'])).toEqual(ok('t\n'))
    expect(records('t')).toMatchObject([{ id }])
  })

  it('exits 2 for a name that is none', () => {
    const { jwz } = freshBus()
    const message = 'a topic is words joined by ":", such as issue:auth-123; got "a::b"'
    expect(jwz(['topic', 'new', 'a::b'])).toEqual(failed(2, message))
  })
})
