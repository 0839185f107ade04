import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matches, parseQuery } from '../src/query.ts'
import { failed, freshBus } from './bus.ts'

describe('jwz search', () => {
  it('finds messages that have all words and phrases, in any topic, newest first', () => {
    const { jwz, post } = freshBus()
    const older = post('a', 'A race condition in the RETRY loop')
    const newer = post('b:c', `${'before '.repeat(20)}condition: the race is on ${'after '.repeat(40)}`)
    post('a', 'no such thing')
    expect(jwz(['search', 'race', 'condition', '-q']).stdout).toBe(`${newer}\n${older}\n`)
    expect(jwz(['search', 'condition "retry loop"', '-q']).stdout).toBe(`${older}\n`)
    const { code, stdout } = jwz(['search', 'RACE'])
    expect(code).toBe(0)
    expect(stdout).toMatch(
      new RegExp(`^b:c ${newer} ann \\S+Z\\n  ….*condition: the race is on.*…\\na ${older} ann \\S+Z\\n`),
    )
  })

  it('narrows by topic, sender, age and number', () => {
    const { jwz, post } = freshBus()
    post('a:1', 'word', '--as', 'bob')
    const second = post('a:2', 'word', '--tag', 'tagged')
    const third = post('b', 'word')
    const search = (...args: string[]) => jwz(['search', ...args, '-q'])
    expect(search('word', '--topic', 'a:*', '--from', 'ann').stdout).toBe(`${second}\n`)
    expect(search('tagged').stdout).toBe(`${second}\n`)
    expect(search('word', '--limit', '1', '--since', '1h').stdout).toBe(`${third}\n`)
    expect(search('word', '--since', '2100-01-01').code).toBe(3)
    expect(JSON.parse(jwz(['search', 'word', '--json']).stdout)).toHaveLength(3)
  })

  it('looks into bodies that are kept in blobs', () => {
    const { jwz, post } = freshBus()
    const id = post('t', `${'x '.repeat(20_000)}needle`)
    expect(jwz(['search', 'needle', '-q']).stdout).toBe(`${id}\n`)
  })

  it('exits 3 when there is none, and takes any text literally', () => {
    const { jwz, post } = freshBus()
    post('t', 'a (b [c-d] *.ts "quoted" $HOME \\n')
    expect(jwz(['search', 'zebra'])).toEqual({
      code: 3,
      signal: null,
      stdout: '',
      stderr: 'no message has all of that\n',
    })
    for (const query of ['(b', '[c-d]', '*.ts', '"', '"quoted', '$HOME', '\\n', 'a "']) {
      expect([query, jwz(['search', '-q', '--', query]).code]).toEqual([query, 0])
    }
    expect(jwz(['search', ' '])).toEqual(failed(2, 'expected words to search for, got none; jwz search race condition'))
  })
})

describe('parseQuery', () => {
  it('finds every text by itself, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        if (text.trim() === '') return
        expect(matches(parseQuery([text]), text)).toBe(true)
      }),
    )
  })
})
