import { describe, expect, it } from 'vitest'
import { freshBus, ok } from './bus.ts'

describe('jwz topic list', () => {
  it('prints each topic with its size and its newest message, by name', () => {
    const { jwz, post, records } = freshBus()
    post('issue:2', 'x')
    post('issue:1', 'x')
    post('issue:1', 'y', '--as', 'bob')
    post('News, ä', 'z')
    const at = (topic: string, place: number) => Number(records(topic)[place]?.['at'])
    const time = (topic: string, place: number) => new Date(at(topic, place)).toISOString()
    const [one, two] = [`issue:1\t2\t${time('issue:1', 1)}\tbob\n`, `issue:2\t1\t${time('issue:2', 0)}\tann\n`]
    const all = jwz(['topic', 'list'])
    expect(all.stdout).toMatch(/^News, ä\t1\t\S+Z\tann\nissue:1\t/)
    expect(jwz(['topic', 'list', 'issue:*'])).toEqual(ok(one + two))
    expect(jwz(['topic', 'list', 'issue:?', '-q'])).toEqual(ok('issue:1\nissue:2\n'))
    expect(JSON.parse(jwz(['topic', 'list', 'issue:1', '--json']).stdout)).toEqual([
      { topic: 'issue:1', messages: 2, last_at: at('issue:1', 1), last_from: 'bob' },
    ])
  })

  it('says that there is none', () => {
    const { cwd, jwz } = freshBus()
    expect(jwz(['topic', 'list'])).toEqual({ ...ok(''), stderr: `no topics in ${cwd}/.jwz\n` })
    expect(jwz(['topic', 'list', '--json'])).toEqual(ok('[]\n'))
  })
})
