import { resolve } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { topicFile, topicOfFile } from '../src/index.ts'

describe('topicFile', () => {
  it.each([
    ['news', 'news.jsonl'],
    ['issue:auth-123', 'issue/auth-123.jsonl'],
    ['Issue:Ä b', '%49ssue/%C3%84%20b.jsonl'],
    ['.hidden', '%2Ehidden.jsonl'],
    ['a.jsonl:b', 'a%2Ejsonl/b.jsonl'],
    ['a.lock', 'a%2Elock.jsonl'],
    ['a/../b', 'a%2F..%2Fb.jsonl'],
    ['100%', '100%25.jsonl'],
  ])('puts %j into %j', (topic, file) => {
    expect(topicFile(topic)).toBe(file)
    expect(topicOfFile(file)).toBe(topic)
  })

  it.each(['', ':', 'a:', ':a', 'a::b', '.', '..', '..:..:x', 'a:.:b', 'x'.repeat(201), 'Ä'.repeat(40)])(
    'refuses %j',
    (topic) => {
      expect(() => topicFile(topic)).toThrow(/a topic is|a part of a topic/)
    },
  )

  it('keeps every name it accepts below its folder, apart from every other name, and reads it back', () => {
    const name = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[a-z.:%/A-Z0-9]{1,20}$/))
    fc.assert(
      fc.property(name, (topic) => {
        let file: string
        try {
          file = topicFile(topic)
        } catch {
          return true
        }
        return resolve('/topics', file).startsWith('/topics/') && topicOfFile(file) === Buffer.from(topic).toString()
      }),
      { numRuns: 2000 },
    )
  })

  it.each(['news', 'a%zz.jsonl', 'Upper.jsonl', 'a//b.jsonl', '%61.jsonl', 'a/../b.jsonl', '.jsonl'])(
    'takes %j for no topic',
    (file) => {
      expect(topicOfFile(file)).toBeUndefined()
    },
  )
})
