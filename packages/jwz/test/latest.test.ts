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
    expect(jwz(['latest', 't', '--from', 'carol'])).toEqual(failed(3, 'no message in t from carol'))
  })

  it('exits 3 where nobody has posted', () => {
    const { cwd, jwz } = freshBus()
    expect(jwz(['latest', 't'])).toEqual(
      failed(3, `no topic t in ${cwd}/.jwz; jwz topic list shows them; a first post makes one`),
    )
  })
})
