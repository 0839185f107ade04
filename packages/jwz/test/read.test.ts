import { appendFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { failed, freshBus, ok } from './bus.ts'

function bodies(stdout: string): unknown[] {
  return JSON.parse(stdout).map(({ body }: { body: unknown }) => body)
}

describe('jwz read', () => {
  it('prints the newest N, oldest first: a headline, then the body as it is', () => {
    const { jwz, post, records } = freshBus()
    post('t', 'one')
    const flags = ['--as', 'bob', '--role', 'dev', '--model', 'm', '--to', 'ann', '-t', 'x', '-t', 'y']
    const [two, three] = [post('t', 'two\nlines\n', ...flags), post('t', 'three')]
    const time = (at: number) => new Date(Number(records('t')[at]?.['at'])).toISOString()
    const text = `${two} bob ${time(1)} dev [m] to ann #x #y\ntwo\nlines\n${three} ann ${time(2)}\nthree\n`
    expect(jwz(['read', 't', '--limit', '2'])).toEqual(ok(text))
    expect(jwz(['list', 't', '--limit', '2'])).toEqual(ok(text))
    expect(jwz(['read', 't', '-q', '--limit', '2'])).toEqual(ok(`${two}\n${three}\n`))
    expect(
      jwz(['read', 't', '--jsonl'])
        .stdout.trim()
        .split('\n')
        .map((line) => JSON.parse(line).body),
    ).toEqual(['one', 'two\nlines\n', 'three'])
  })

  it('prints twenty when no limit is given', () => {
    const { jwz } = freshBus()
    jwz(['post', 't', '--stdin'], { input: Array.from({ length: 25 }, (_, at) => `${at}\n`).join('') })
    expect(bodies(jwz(['read', 't', '--json']).stdout)).toEqual(Array.from({ length: 20 }, (_, at) => `${at + 5}`))
  })

  it('goes on behind a message with --after, a limit at a time, in the order of the log', () => {
    const { jwz } = freshBus()
    const ids = jwz(['post', 't', '--stdin', '-q'], { input: '1\n2\n3\n4\n5\n' }).stdout.trim().split('\n')
    const behind = (id = '', ...flags: string[]) => bodies(jwz(['read', 't', '--json', '--after', id, ...flags]).stdout)
    expect(behind(ids[1])).toEqual(['3', '4', '5'])
    expect(behind(ids[1]?.slice(-8), '--limit', '2')).toEqual(['3', '4'])
    expect(behind(ids[4])).toEqual([])
  })

  it('takes only what is young enough with --since and from one sender with --from', () => {
    const { jwz, post, file } = freshBus()
    const old = { v: 1, id: 'old-1', at: Date.parse('2020-01-01T00:00:00Z'), topic: 't', from: 'bob', body: 'old' }
    post('t', 'first')
    appendFileSync(file('t'), `${JSON.stringify(old)}\n`)
    post('t', 'new', '--as', 'bob')
    const read = (...flags: string[]) => bodies(jwz(['read', 't', '--json', ...flags]).stdout)
    expect(read('--since', '1h')).toEqual(['first', 'new'])
    expect(read('--since', '2019-12-31')).toEqual(['first', 'old', 'new'])
    expect(read('--since', '2020-01-01T00:00:01Z')).toEqual(['first', 'new'])
    expect(read('--from', 'bob')).toEqual(['old', 'new'])
    expect(read('--from', 'bob', '--since', '1d', '--after', 'old-1')).toEqual(['new'])
    expect(jwz(['read', 't', '--from', 'nobody'])).toEqual({ ...ok(''), stderr: 'no messages in t\n' })
    expect(jwz(['read', 't', '--since', 'yesterday'])).toMatchObject({ code: 2 })
  })

  it('reads no further back than --since needs', () => {
    const { jwz, file, post } = freshBus()
    post('t', 'hidden behind a hundred old ones')
    const old = (id: string) => `${JSON.stringify({ v: 1, id, at: 1, topic: 't', from: 'x', body: 'old' })}\n`
    appendFileSync(file('t'), Array.from({ length: 101 }, (_, at) => old(`old-${at}`)).join(''))
    post('t', 'new')
    expect(bodies(jwz(['read', 't', '--json', '--since', '1h']).stdout)).toEqual(['new'])
  })

  it('exits 3 for a topic or a message that is not there, 2 for a name that is none', () => {
    const { cwd, jwz, post } = freshBus()
    expect(jwz(['read', 'none'])).toEqual(
      failed(3, `no topic none in ${cwd}/.jwz; jwz topic list shows them; a first post makes one`),
    )
    const elsewhere = post('a', 'x')
    post('t', 'y')
    expect(jwz(['read', 't', '--after', elsewhere])).toEqual(
      failed(3, `no message ${elsewhere} in t; jwz search or jwz read shows ids`),
    )
    expect(jwz(['read', 'a::b'])).toMatchObject({ code: 2 })
    expect(jwz(['read', 't', '--limit', '0'])).toMatchObject({ code: 2 })
  })

  it('skips damaged lines, says how many once, and reads what printf wrote', () => {
    const { jwz, post, file } = freshBus()
    post('t', 'before')
    appendFileSync(
      file('t'),
      '{"v":1,"id":"torn","at":17\nnonsense\n{"v":1,"id":"p-1","at":1,"topic":"t","from":"sh","body":"by hand"}\n',
    )
    const deep = '['.repeat(9000) + ']'.repeat(9000)
    appendFileSync(file('t'), `{"v":1,"id":"deep","at":1,"topic":"t","from":"sh","body":"deep","data":${deep}}\n`)
    post('t', 'after')
    const read = jwz(['read', 't', '--json'])
    expect(bodies(read.stdout)).toEqual(['before', 'by hand', 'after'])
    expect(read.stderr).toBe('skipped 3 damaged or unknown lines; see jwz doctor\n')
    expect(jwz(['read', 't', '-q']).stderr).toBe('')
  })

  it('takes the first of two lines with the same id, from either end', () => {
    const { jwz, file, post } = freshBus()
    const line = (id: string, body: string) => `${JSON.stringify({ v: 1, id, at: 1, topic: 't', from: 'x', body })}\n`
    post('t', 'start')
    appendFileSync(file('t'), line('same-id', 'first') + line('other-id', 'between') + line('same-id', 'again'))
    expect(bodies(jwz(['read', 't', '--json']).stdout)).toEqual(['start', 'first', 'between'])
    expect(bodies(jwz(['read', 't', '--json', '--after', 'same-id']).stdout)).toEqual(['between', 'again'])
    expect(jwz(['latest', 't'])).toEqual(ok('between\n'))
  })
})
