import { appendFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { failed, freshBus, ok } from './bus.ts'

describe('jwz latest', () => {
  it('prints the bare body in a pipe, the message with --json, its id with --quiet', () => {
    const { jwz, post } = freshBus()
    post('loop:current', 'one')
    const id = post('loop:current', 'two\r\n', '--data', '{"iteration":2}')
    expect(jwz(['latest', 'loop:current'])).toEqual(ok('two\r\n'))
    expect(JSON.parse(jwz(['latest', 'loop:current', '--json']).stdout)).toMatchObject({ id, data: { iteration: 2 } })
    expect(jwz(['latest', 'loop:current', '-q'])).toEqual(ok(`${id}\n`))
  })

  it('takes only what one sender wrote with --from', () => {
    const { jwz, post } = freshBus()
    post('t', 'mine')
    post('t', 'yours', '--as', 'bob')
    expect(jwz(['latest', 't', '--from', 'ann'])).toEqual(ok('mine\n'))
    expect(jwz(['latest', 't', '--from', 'carol'])).toEqual(
      failed(3, 'no such message in t; jwz read t --all shows what is there'),
    )
  })

  it('takes the newest under a key, and exits 3 for one that is older than --max-age', () => {
    const { jwz, file, post } = freshBus()
    post('t', 'without')
    const line = (id: string, at: number, key: string) =>
      `${JSON.stringify({ v: 1, id, at, topic: 't', from: 'x', body: id, key })}\n`
    appendFileSync(file('t'), line('old-1', Date.now() - 3 * 3_600_000, 'state') + line('new-1', Date.now(), 'other'))
    expect(jwz(['latest', 't', '--key', 'state'])).toEqual(ok('old-1\n'))
    expect(jwz(['latest', 't', '--max-age', '2h'])).toEqual(ok('new-1\n'))
    expect(jwz(['latest', 't', '--key', 'state', '--max-age', '4h'])).toEqual(ok('old-1\n'))
    expect(jwz(['latest', 't', '--key', 'state', '--max-age', '2h'])).toEqual(
      failed(3, 'the newest message in t is from 3h ago, which is too old'),
    )
    expect(jwz(['latest', 't', '--key', 'none'])).toMatchObject({ code: 3, stdout: '' })
  })

  it('exits 3 where nobody has posted', () => {
    const { cwd, jwz } = freshBus()
    expect(jwz(['latest', 't'])).toEqual(
      failed(3, `no topic t in ${cwd}/.jwz; jwz topic list shows them; a first post makes one`),
    )
  })
})
