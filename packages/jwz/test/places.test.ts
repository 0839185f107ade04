import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { cursorSchema } from '../src/consumer/schemas.ts'
import { failed, ok } from './bus.ts'
import { busWith, cursorFile, lines, next, nothing } from './consumer-bus.ts'

describe('jwz read --status and --reset', () => {
  it('show each place, its time and what is left; and move or forget it', () => {
    const bus = busWith(4)
    const cursors = (...args: string[]) => JSON.parse(bus.jwz(['read', ...args, '--json']).stdout)
    expect(bus.jwz(['read', '--status', '--json'])).toEqual(ok('[]\n'))
    next(bus, '--commit', '--limit', '1')
    const [listed] = cursors('--status', '--consumer', 'ci')
    expect(cursorSchema.parse(listed)).toEqual({
      v: 1,
      consumer: 'ci',
      topic: 't',
      id: bus.ids[0],
      at: expect.any(Number),
      unread: 3,
    })
    expect(bus.jwz(['read', '--status'])).toEqual(ok(`ci\tt\t${bus.ids[0]}\t${new Date(listed.at).toISOString()}\t3\n`))
    expect(bus.jwz(['read', '--status', '-q'])).toEqual(ok('ci\n'))
    const [moved] = cursors('--consumer', 'ci', '--reset', bus.ids[2]?.slice(-6) ?? '')
    expect(cursorSchema.parse(moved)).toMatchObject({ id: bus.ids[2], unread: 1 })
    expect(next(bus)).toEqual(lines(bus.ids.slice(3)))
    expect(cursors('t', '--consumer', 'ci', '--reset', 'end')).toMatchObject([{ id: bus.ids[3], unread: 0 }])
    expect(next(bus)).toEqual(nothing)
    expect(cursors('--consumer', 'ci', '--reset', 'start')).toMatchObject([{ id: null, unread: 4 }])
    expect(next(bus)).toEqual(lines(bus.ids))
    expect(bus.jwz(['read', '--consumer', 'ci', '--reset', 'none'])).toEqual(ok('ci\tt\t\t\t4\n'))
    expect(existsSync(cursorFile(bus, 'ci'))).toBe(false)
    expect(next(bus)).toEqual(lines(bus.ids))
  })

  it('--reset end begins a new consumer with what comes', () => {
    const bus = busWith(2)
    expect(bus.jwz(['read', 't', '--consumer', 'ci', '--reset', 'end', '-q'])).toEqual(ok('t\n'))
    const id = bus.post('t', 'new')
    expect(next(bus)).toEqual(lines([id]))
  })

  it('names what is not there', () => {
    const { jwz, cwd } = busWith(1)
    const unknown = `no consumer x in ${cwd}/.jwz; jwz read --status shows them; a first commit makes one`
    expect(jwz(['read', '--status', '--consumer', 'x'])).toEqual(failed(3, unknown))
    expect(jwz(['read', '--consumer', 'x', '--reset', 'none'])).toEqual(failed(3, unknown))
    expect(jwz(['read', 'y', '--consumer', 'x', '--reset', 'none']).code).toBe(3)
    expect(jwz(['read', '--consumer', 'x', '--reset', 'abcdef'])).toEqual(
      failed(3, 'no message abcdef; jwz search or jwz read shows ids'),
    )
  })
})

describe('jwz read --status and --reset with what is not theirs', () => {
  it.each([
    [[], 'expected <topic>, got nothing; see jwz read --help'],
    [['--reset', 'end'], '--reset takes --consumer NAME beside it, got none; say who reads'],
    [['--status', '--reset', 'end'], '--status prints no messages; got --reset beside it'],
    [['t', '--status', '--commit'], '--status prints no messages; got --commit beside it'],
    [['t', '--consumer', 'ci', '--reset', 'end', '--from', 'bob'], '--reset prints no messages; got --from beside it'],
  ])('refuses %j', (args, message) => {
    expect(busWith(1).jwz(['read', ...args])).toEqual(failed(2, message))
  })

  it('shows the places in one topic', () => {
    const bus = busWith(1)
    bus.post('other', 'x')
    for (const topic of ['t', 'other']) bus.jwz(['read', topic, '--consumer', 'ci', '--commit'])
    const places = JSON.parse(bus.jwz(['read', 'other', '--status', '--json']).stdout)
    expect(places).toMatchObject([{ consumer: 'ci', topic: 'other' }])
    expect(bus.jwz(['read', 'nowhere', '--status']).code).toBe(3)
  })
})
