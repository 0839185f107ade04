import { appendFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { shownSchema, threadedSchema } from '../src/schemas.ts'
import { failed, freshBus, ok } from './bus.ts'

describe('jwz read --threads', () => {
  it('draws the newest threads whole, the one with the newest message last', () => {
    const { jwz, post } = freshBus()
    const one = post('t', 'one')
    const two = post('t', 'two')
    const answer = post('t', 'to one', '--reply-to', one, '--as', 'bob')
    const three = post('t', 'three')
    const ids = (...flags: string[]) =>
      jwz(['read', 't', '--threads', '-q', ...flags])
        .stdout.trim()
        .split('\n')
    expect(ids()).toEqual([two, one, answer, three])
    expect(ids('--limit', '2')).toEqual([one, answer, three])
    expect(ids('--from', 'bob')).toEqual([one, answer])
    expect(ids('--after', two)).toEqual([one, answer, three])
    const { stdout } = jwz(['read', 't', '--threads', '--limit', '2'])
    expect(stdout.replaceAll(/ (ann|bob) \S+Z/g, '')).toBe(
      `${one}\n  one\n└─ ${answer} to ann\n     to one\n${three}\n  three\n`,
    )
    const threads = JSON.parse(jwz(['read', 't', '--threads', '--json']).stdout)
    expect(threads.map((each: unknown) => threadedSchema.parse(each).depth)).toEqual([0, 0, 1, 0])
    expect(jwz(['read', 't', '--threads', '--from', 'carol'])).toEqual({ ...ok(''), stderr: 'no messages in t\n' })
    expect(jwz(['read', 't', '--threads', '--consumer', 'c'])).toEqual(
      failed(2, '--consumer prints each message once; got --threads beside it'),
    )
  })
})

describe('what has expired or does not count', () => {
  function withLosers() {
    const bus = freshBus()
    bus.jwz(['topic', 'new', 't'])
    const line = (id: string, more: object) =>
      `${JSON.stringify({ v: 1, id, at: Date.now(), topic: 't', from: 'x', body: id, ...more })}\n`
    const lines = [
      line('id-a', { expect: null }),
      line('id-won', { expect: 'id-a' }),
      line('id-lost', { expect: 'id-a' }),
      line('id-gone', { expires: Date.now() - 1 }),
      line('id-stays', { expires: Date.now() + 3_600_000 }),
    ]
    appendFileSync(bus.file('t'), lines.join(''))
    return bus
  }

  it('is left out, and shown and marked with --all', () => {
    const { jwz } = withLosers()
    expect(jwz(['read', 't', '-q'])).toEqual(ok('id-a\nid-won\nid-stays\n'))
    expect(jwz(['read', 't', '-q', '--after', 'id-won'])).toEqual(ok('id-stays\n'))
    expect(jwz(['search', 'id', '--json']).stdout).not.toContain('id-gone')
    const all = JSON.parse(jwz(['read', 't', '--all', '--json']).stdout).map((each: unknown) => shownSchema.parse(each))
    expect(all.map(({ id, void: lost, expired }: Record<string, unknown>) => [id, lost, expired])).toEqual([
      ['id-a', undefined, undefined],
      ['id-won', undefined, undefined],
      ['id-lost', true, undefined],
      ['id-gone', undefined, true],
      ['id-stays', undefined, undefined],
    ])
    const text = jwz(['read', 't', '--all']).stdout
    expect(text).toMatch(/^id-lost x \S+Z void\nid-lost\nid-gone x \S+Z expired\nid-gone\n/m)
    expect(jwz(['search', 'gone OR lost', '--all', '-q']).stdout.split('\n').sort()).toEqual(['', 'id-gone', 'id-lost'])
    expect(jwz(['read', 't', '--threads', '--all', '-q']).stdout.split('\n')).toContain('id-lost')
  })

  it('is not the newest message, and can still be shown by its id', () => {
    const { jwz } = withLosers()
    expect(jwz(['latest', 't', '-q'])).toEqual(ok('id-stays\n'))
    expect(jwz(['follow', 't', '-q', '--limit', '9', '--count', '3'])).toEqual(ok('id-a\nid-won\nid-stays\n'))
    expect(jwz(['show', 'id-lost']).stdout).toMatch(/^void: yes$/m)
    expect(jwz(['show', 'id-gone']).stdout).toMatch(/^expired: yes$/m)
    expect(jwz(['reply', 'id-lost', '-m', 'x'])).toMatchObject({ code: 3 })
  })
})
