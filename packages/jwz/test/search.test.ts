import { run, scaled } from '@switchyard/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { freshBus } from './bus.ts'

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

  it('takes a sender, a role and a word with a colon as they are', () => {
    const { jwz, post } = freshBus()
    const started = post('issue:auth-123', '[oracle] STARTED: Analyzing', '--role', 'oracle')
    const review = post('issue:auth-123', '[reviewer] REVIEW: token check\nPath: a.md', '--as', 'bob')
    expect(jwz(['search', 'issue:auth-123', '--from', 'oracle', '-q'])).toMatchObject({
      code: 0,
      stdout: `${started}\n`,
    })
    expect(jwz(['search', 'REVIEW:', '-q'])).toMatchObject({ code: 0, stdout: `${review}\n` })
    expect(jwz(['search', 'token (STARTED OR review*) NOT analyzing', '-q']).stdout).toBe(`${review}\n`)
  })

  it('lists the newest of all topics when nothing is asked but a limit', () => {
    const { jwz, post } = freshBus()
    const ids = ['a', 'b', 'a', 'c'].map((topic) => post(topic, 'x')).reverse()
    expect(jwz(['search', '-q']).stdout).toBe(`${ids.join('\n')}\n`)
    expect(jwz(['search', '-q', '--limit', '3']).stdout).toBe(`${ids.slice(0, 3).join('\n')}\n`)
  })

  it('exits 3 when there is none, and takes any text as a query', () => {
    const { cwd, jwz, post } = freshBus()
    post('t', 'a (b [c-d] *.ts "quoted" $HOME \\n')
    expect(jwz(['search', 'zebra'])).toEqual({ code: 3, signal: null, stdout: '', stderr: 'no message fits\n' })
    for (const query of ['(b', '[c-d]', '*.ts', '"', '"quoted', '$HOME', '\\n', 'a "', '', ' ']) {
      expect([query, jwz(['search', '-q', '--', query]).code]).toEqual([query, 0])
    }
    const anyQuery = fc.array(fc.oneof(fc.constantFrom('(', ')', '"', 'NOT', 'OR', '*'), fc.string({ unit: 'binary' })))
    fc.assert(
      fc.property(anyQuery, (words) => {
        // Neither can be an argument of a program: a NUL ends one, and half a character has no bytes.
        const query = Buffer.from(words.join(' ').replaceAll('\0', ' ')).toString()
        expect([0, 3]).toContain(run('jwz', ['search', '-q', '--', query], { cwd }).code)
      }),
      { numRuns: scaled(300) },
    )
  })
})
