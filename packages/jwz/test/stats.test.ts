import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findingSchema, statsSchema } from '../src/schemas.ts'
import { freshBus, ok } from './bus.ts'

describe('jwz stats', () => {
  it('counts messages, bytes and files, by topic and by sender, the busiest first', () => {
    const { cwd, jwz, post } = freshBus()
    post('news', 'one')
    post('issue:1', 'two', '--as', 'bob')
    post('issue:1', 'x'.repeat(40_000))
    const { code, stdout, stderr } = jwz(['stats', '--json'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const stats = statsSchema.parse(JSON.parse(stdout))
    expect(stats).toMatchObject({
      store: `${cwd}/.jwz`,
      messages: 3,
      segments: 2,
      files: { count: 1, bytes: 40_000 },
      topics: [
        { topic: 'issue:1', messages: 2 },
        { topic: 'news', messages: 1 },
      ],
      senders: [
        { from: 'ann', messages: 2, topics: 2 },
        { from: 'bob', messages: 1, topics: 1 },
      ],
    })
    expect(stats.bytes).toBe(stats.topics[0] && stats.topics[0].bytes + (stats.topics[1]?.bytes ?? 0))
    expect(stats.last_at).toBe(stats.topics[0]?.last_at)
  })

  it('prints totals and rows that cut takes apart', () => {
    const { cwd, jwz, post } = freshBus()
    post('news', 'one')
    const rows = '\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z'
    expect(jwz(['stats']).stdout).toMatch(
      new RegExp(
        `^store: ${cwd}/\\.jwz\nmessages: 1 in 1 topic, by 1 sender\nsize: \\d+ B in 1 segment\ntopic\tnews\t1\t${rows}\nsender\tann\t1\t${rows}\n$`,
      ),
    )
    expect(jwz(['stats', '-q'])).toEqual(ok(`${cwd}/.jwz\n`))
  })

  it('keeps to a pattern and to what is not too old', () => {
    const { jwz, post } = freshBus()
    post('news', 'one')
    post('issue:1', 'two')
    const counted = (...args: string[]) => JSON.parse(jwz(['stats', ...args, '--json']).stdout).messages
    expect([counted('issue:*'), counted('--since', '1h'), counted('--since', '2999-01-01')]).toEqual([1, 2, 0])
    expect(jwz(['stats', 'nope:*'])).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringContaining('no topic nope:*'),
    })
  })

  it('is not stopped by a file in the place of a folder', () => {
    const { cwd, jwz, post } = freshBus()
    post('t', 'x')
    writeFileSync(join(cwd, '.jwz/blobs'), '')
    expect(jwz(['stats'])).toMatchObject({ code: 0, stderr: '' })
  })

  it('of an empty store is all nothing', () => {
    const { jwz } = freshBus()
    const { code, stdout } = jwz(['stats', '--json'])
    expect(code).toBe(0)
    expect(statsSchema.parse(JSON.parse(stdout))).toMatchObject({
      messages: 0,
      first_at: null,
      topics: [],
      senders: [],
    })
  })
})

describe('jwz schema', () => {
  it('has the findings of the doctor', () => {
    const { jwz, post } = freshBus()
    post('t', 'x')
    for (const finding of JSON.parse(jwz(['doctor', '--json']).stdout)) findingSchema.parse(finding)
    expect(jwz(['schema']).stdout.split('\n')).toEqual(
      expect.arrayContaining(['message', 'finding', 'stats', 'primer']),
    )
  })
})
