import { spawnSync } from 'node:child_process'
import { appendFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bin, cleanEnv, itWith } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { topicSchema } from '../src/schemas.ts'
import { failed, freshBus, ok } from './bus.ts'

describe('jwz topic list', () => {
  it('prints each topic with its size and its newest message, by name', () => {
    const { file, jwz, post, records } = freshBus()
    post('issue:2', 'x')
    post('issue:1', 'x')
    post('issue:1', 'y', '--as', 'bob')
    post('News, ä', 'z')
    const at = (topic: string, place: number) => Number(records(topic)[place]?.['at'])
    const time = (topic: string, place: number) => new Date(at(topic, place)).toISOString()
    const bytes = (topic: string) => statSync(file(topic)).size
    const one = `issue:1\t2\t${time('issue:1', 1)}\tbob\t${bytes('issue:1')}\n`
    const two = `issue:2\t1\t${time('issue:2', 0)}\tann\t${bytes('issue:2')}\n`
    const all = jwz(['topic', 'list'])
    expect(all.stdout).toMatch(/^News, ä\t1\t\S+Z\tann\t\d+\nissue:1\t/)
    expect(jwz(['topic', 'list', 'issue:*'])).toEqual(ok(one + two))
    expect(jwz(['topic', 'list', 'issue:?', '-q'])).toEqual(ok('issue:1\nissue:2\n'))
    expect(JSON.parse(jwz(['topic', 'list', 'issue:1', '--json']).stdout)).toEqual([
      {
        topic: 'issue:1',
        messages: 2,
        bytes: bytes('issue:1'),
        segments: 1,
        first_at: at('issue:1', 0),
        last_at: at('issue:1', 1),
        last_from: 'bob',
      },
    ])
  })

  it('counts the bytes of sealed segments, too', () => {
    const { file, jwz, post } = freshBus()
    post('t', 'x')
    const { size } = statSync(file('t'))
    renameSync(file('t'), file('t').replace(/jsonl$/, '01KAH5T5A9Q3VX0W8ZK4M2N7PB.jsonl'))
    post('t', 'y')
    const [topic] = JSON.parse(jwz(['topic', 'list', '--json']).stdout)
    expect(topicSchema.parse(topic)).toMatchObject({ messages: 2, bytes: 2 * size, segments: 2 })
  })

  it('counts what is not too old, and each agent by name', () => {
    const { jwz, post } = freshBus()
    post('news', 'one')
    post('issue:1', 'two', '--as', 'bob')
    post('issue:1', 'three')
    const counted = (...args: string[]) =>
      JSON.parse(jwz(['topic', 'list', ...args, '--json']).stdout).map(({ messages }: { messages: number }) => messages)
    expect([counted('issue:*'), counted('--since', '1h'), counted('--since', '2999-01-01')]).toEqual([
      [2],
      [2, 1],
      [0, 0],
    ])
    const [unsaid] = JSON.parse(jwz(['topic', 'list', '--since', '2999-01-01', '--json']).stdout)
    expect(topicSchema.parse(unsaid)).toMatchObject({ first_at: null, last_at: null, last_from: null, segments: 1 })
    expect(jwz(['topic', 'list', '--since', 'yesterday']).code).toBe(2)
    const agents = JSON.parse(jwz(['agents', '--all', '--json']).stdout)
    expect(agents).toMatchObject([
      { name: 'ann', messages: 2, topics: ['issue:1', 'news'] },
      { name: 'bob', messages: 1, topics: ['issue:1'] },
    ])
  })

  it('says how many lines are damaged', () => {
    const { file, jwz, post } = freshBus()
    post('t', 'x')
    appendFileSync(file('t'), 'nonsense{\n')
    expect(jwz(['topic', 'list'])).toMatchObject({
      code: 0,
      stderr: 'skipped 1 damaged or unknown line; see jwz doctor\n',
    })
  })

  itWith('script of util-linux', 'ends at a terminal with what all come to, files too', () => {
    const { cwd, post } = freshBus()
    post('news', 'one')
    post('issue:1', 'x'.repeat(40_000))
    const seen = () =>
      spawnSync('script', ['-qec', `node ${bin('jwz')} topic list`, '/dev/null'], {
        cwd,
        env: cleanEnv(),
        encoding: 'utf8',
      }).stdout
    expect(seen()).toMatch(/\n2 messages in 2 topics: \d+ B in 2 segments, and 1 file of 40\.0 kB\r\n$/)
    rmSync(join(cwd, '.jwz/blobs'), { recursive: true })
    writeFileSync(join(cwd, '.jwz/blobs'), '')
    expect(seen()).toMatch(/\n2 messages in 2 topics: \d+ B in 2 segments\r\n$/)
  })

  it('follows no link, to a file or to a folder, and refuses the topic that one stands for', () => {
    const { cwd, file, jwz, post } = freshBus()
    post('deep:t', 'x')
    post('here', 'x')
    renameSync(file('deep:t'), join(cwd, 'elsewhere'))
    symlinkSync(join(cwd, 'elsewhere'), file('deep:t'))
    symlinkSync('.', file('folder').replace('.jsonl', ''))
    expect(jwz(['topic', 'list', '-q'])).toEqual(ok('here\n'))
    const refusal = `${file('deep:t')} is a link, and no store is read or written through one`
    expect(jwz(['read', 'deep:t'])).toEqual(
      failed(5, `${refusal}; put what it leads to in its place, or name another store`),
    )
  })

  it('says that there is none', () => {
    const { cwd, jwz } = freshBus()
    expect(jwz(['topic', 'list'])).toEqual({ ...ok(''), stderr: `no topics in ${cwd}/.jwz\n` })
    expect(jwz(['topic', 'list', '--json'])).toEqual(ok('[]\n'))
  })
})
