import { appendFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { failed, freshBus, ok } from './bus.ts'

/** A topic with one message for each thing that can be asked for, by its body. */
function filled() {
  const bus = freshBus()
  const ids = {
    plain: bus.post('t', 'plain'),
    bob: bus.post('t', 'of Bob', '--as', 'bob', '--role', 'oracle', '--model', 'm-1'),
    sent: bus.post('t', 'to two', '--to', 'carol', '--to', 'dave', '--as', 'eve'),
    tagged: bus.post('t', 'Tagged TWICE', '-t', 'x', '-t', 'y'),
    long: bus.post('t', `${'long '.repeat(10_000)}Needle`, '-t', 'x'),
  }
  const read = (...flags: string[]) => {
    const { stdout } = bus.jwz(['read', 't', '-q', ...flags])
    return stdout.split('\n').flatMap((id) => Object.entries(ids).find(([, other]) => id === other)?.[0] ?? [])
  }
  return { ...bus, ids, read }
}

describe('the filters of every reading verb', () => {
  it('take what fits them all', () => {
    const { read } = filled()
    expect(read('--from', 'bob')).toEqual(['bob'])
    expect(read('--from', 'oracle')).toEqual(['bob'])
    expect(read('--from', 'bob', '--from', 'eve')).toEqual(['bob', 'sent'])
    expect(read('--to', 'dave')).toEqual(['sent'])
    expect(read('--to', 'dav')).toEqual([])
    expect(read('--role', 'oracle', '--model', 'm-1')).toEqual(['bob'])
    expect(read('--role', 'oracle', '--model', 'm-2')).toEqual([])
    expect(read('--tag', 'x')).toEqual(['tagged', 'long'])
    expect(read('--tag', 'x', '-t', 'y')).toEqual(['tagged'])
    expect(read('--match', 'twice')).toEqual(['tagged'])
    expect(read('--match', 'TWICE')).toEqual(['tagged'])
    expect(read('--match', 'Twice')).toEqual([])
    expect(read('--match', 'É')).toEqual([])
    expect(read('--match', '.*')).toEqual([])
    expect(read('--match', 'needle', '--tag', 'x')).toEqual(['long'])
    expect(read('--branch', 'main')).toHaveLength(5)
    expect(read('--branch', 'other')).toEqual([])
    expect(read('--from', 'ann', '--limit', '1')).toEqual(['long'])
  })

  it('know what is urgent', () => {
    const { jwz, file, post } = freshBus()
    post('t', 'no hurry')
    const urgent = { v: 1, id: 'u-1', at: 1, topic: 't', from: 'x', body: 'now', urgent: true }
    jwz(['post', 't', '-m', 'none either'])
    appendFileSync(file('t'), `${JSON.stringify(urgent)}\n`)
    expect(jwz(['read', 't', '--urgent', '-q'])).toEqual(ok('u-1\n'))
  })

  it('bound the time on both sides', () => {
    const { jwz, file, post } = freshBus()
    post('t', 'first')
    const at = (day: string) => ({ v: 1, id: day, at: Date.parse(day), topic: 't', from: 'x', body: day })
    const days = ['2020-01-01', '2020-02-01', '2020-03-01']
    appendFileSync(file('t'), days.map((day) => `${JSON.stringify(at(day))}\n`).join(''))
    expect(jwz(['read', 't', '-q', '--until', '2020-02-01'])).toEqual(ok('2020-01-01\n2020-02-01\n'))
    expect(jwz(['read', 't', '-q', '--since', '2020-01-02', '--until', '1h'])).toEqual(ok('2020-02-01\n2020-03-01\n'))
    expect(jwz(['read', 't', '--until', 'soon'])).toEqual(
      failed(2, '--until takes a time ago such as 10m, 2h or 1d, or a date such as 2026-11-21; got "soon"'),
    )
  })

  it('mean the same in latest, search, follow and wait', () => {
    const { ids, jwz } = filled()
    for (const [flags, name] of [
      [['--from', 'oracle'], 'bob'],
      [['--to', 'carol'], 'sent'],
      [['--tag', 'x', '--tag', 'y'], 'tagged'],
      [['--match', 'needle'], 'long'],
    ] as const) {
      const found = ok(`${ids[name]}\n`)
      expect(jwz(['latest', 't', '-q', ...flags])).toEqual(found)
      expect(jwz(['follow', 't', '-q', '--limit', '1', '--count', '1', ...flags])).toEqual(found)
      expect(jwz(['search', 't', '-q', '--limit', '1', ...flags])).toEqual(found)
    }
    const later = ['wait', 't', '-q', '--after', ids.plain, '--tag', 'x', '--match', 'needle']
    expect(jwz(later)).toEqual(ok(`${ids.long}\n`))
  })
})

describe('@last', () => {
  it('is what somebody said, not what a lease left on its feed', () => {
    const { jwz, post } = freshBus()
    const said = post('t', 'said')
    jwz(['lease', 'acquire', 'deploy'])
    expect(jwz(['show', '@last', '-q'])).toEqual(ok(`${said}\n`))
    expect(jwz(['latest', 'jwz:lease']).code).toBe(0)
  })

  it('names the newest message: of the topic where there is one, else of the store', () => {
    const { jwz, post } = freshBus()
    post('a', 'older')
    const newest = post('b', 'newest')
    expect(jwz(['show', '@last', '-q'])).toEqual(ok(`${newest}\n`))
    const answer = jwz(['reply', '@last', '-m', 'answer', '--json']).stdout
    expect(JSON.parse(answer)).toMatchObject({ topic: 'b', reply_to: newest })
    const other = post('a', 'answers the older', '--reply-to', '@last')
    expect(JSON.parse(jwz(['thread', '@last', '--json']).stdout)).toHaveLength(2)
    expect(jwz(['thread', other.slice(-6), '-q'])).toMatchObject({ code: 0 })
    expect(jwz(['read', 'a', '--after', '@last', '-q'])).toEqual({ ...ok(''), stderr: '' })
  })

  it('exits 3 where there is none', () => {
    const { jwz } = freshBus()
    expect(jwz(['show', '@last'])).toEqual(failed(3, 'no message that @last could name; jwz post makes one'))
  })
})
