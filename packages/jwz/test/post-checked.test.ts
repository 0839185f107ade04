import { chmodSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { faultEnv, full, itWith, run, scaled, start } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { failed, freshBus, ok, ulidPattern } from './bus.ts'

const racers = 32
const stepsMax = 300
/** Steps of a write that are tried: each at full size. */
const stride = full ? 1 : 11

describe('jwz post --expect', () => {
  it('posts only while the named message is the newest, and says which one is', () => {
    const { jwz, post, records, cwd } = freshBus()
    expect(jwz(['post', 't', '-m', 'x', '--expect', '01ARZ3NDEKTSV4RRFFQ69G5FAA'])).toEqual(
      failed(
        5,
        '01ARZ3NDEKTSV4RRFFQ69G5FAA was expected to be the newest of t, there is none; read what has come and decide anew',
      ),
    )
    const first = post('t', 'one', '--expect', 'none')
    expect(records('t')[0]).toMatchObject({ id: first, expect: null })
    expect(jwz(['post', 't', '-m', 'x', '--expect', 'none'])).toEqual(
      failed(5, `t was expected to be empty, ${first} from ann is; read what has come and decide anew`),
    )
    const second = post('t', 'two', '--expect', first.toLowerCase(), '--as', 'bob')
    const third = post('t', 'three', '--expect', second.slice(-6), '--as', 'bob')
    const late = jwz(['post', 't', '-m', 'x', '--expect', second.slice(-8), '--json'])
    expect(late).toMatchObject({ code: 5, stdout: '' })
    expect(JSON.parse(late.stderr.split('\n')[1] ?? '').error).toMatchObject({
      code: 'conflict',
      message: `${second} was expected to be the newest of t, ${third} from bob is`,
      retryable: true,
    })
    expect(records('t').map(({ expect: expected }) => expected)).toEqual([null, first, second])
    expect(run('jwz', ['read', 't', '-q'], { cwd })).toEqual(ok(`${first}\n${second}\n${third}\n`))
  })

  it('refuses what names no message, before anything is written', () => {
    const { jwz, cwd } = freshBus()
    expect(jwz(['post', 't', '-m', 'x', '--expect', 'nope'])).toEqual(
      failed(3, 'no message nope in t; jwz search or jwz read shows ids'),
    )
    expect(jwz(['post', 't', '--stdin', '--expect', 'none'], { input: 'a\n' })).toEqual(
      failed(2, '--expect is for one message; got it beside --stdin; post them one by one'),
    )
    expect(existsSync(join(cwd, '.jwz/topics/t.jsonl'))).toBe(false)
  })

  it(`has one winner of ${racers} at once, and the others exit 5`, async () => {
    const bus = freshBus()
    let head = 'none'
    for (let round = 0; round < scaled(20); round++) {
      const started = Array.from({ length: racers }, (_, n) =>
        start('jwz', ['post', 't', '-m', `${round}/${n}`, '--expect', head], { cwd: bus.cwd, input: '' }),
      )
      const finished = await Promise.all(started.map(({ done }) => done))
      const winners = finished.filter(({ code }) => code === 0)
      expect(winners).toHaveLength(1)
      head = winners[0]?.stdout.trim() ?? ''
      for (const { code, stdout, stderr } of finished)
        if (code !== 0)
          expect({ code, stdout, stderr }).toEqual({
            code: 5,
            stdout: '',
            stderr: expect.stringContaining(` ${head} from`),
          })
      expect(bus.jwz(['latest', 't', '-q'])).toEqual(ok(`${head}\n`))
    }
    expect(bus.jwz(['read', 't', '-q']).stdout.trim().split('\n')).toHaveLength(scaled(20))
  })

  it('loses nothing that was acknowledged, wherever it is killed', () => {
    const bus = freshBus()
    let head = bus.post('t', 'first', '--expect', 'none')
    const acknowledged = [head]
    let code: number | null = null
    for (let step = 1; code !== 0; step += stride) {
      expect(step).toBeLessThan(stepsMax)
      const env = faultEnv({ call: '*', nth: step, action: 'kill', match: '.jwz/topics' })
      const killed = bus.jwz(['post', 't', '-m', `killed ${step}`, '--expect', head], { env })
      code = killed.code
      const now = bus.jwz(['latest', 't', '-q']).stdout.trim()
      if (code === 0) expect(now).toBe(killed.stdout.trim())
      head = bus.post('t', `next ${step}`, '--expect', now)
      acknowledged.push(...(code === 0 ? [now] : []), head)
    }
    const all = bus.jwz(['read', 't', '--limit', '5000', '-q']).stdout.trim().split('\n')
    expect(all.filter((id) => acknowledged.includes(id))).toEqual(acknowledged)
    expect(new Set(all).size).toBe(all.length)
  })
})

describe('jwz post --key', () => {
  it('posts once, prints the first id again, and says so when the body is another', () => {
    const { jwz, post, records } = freshBus()
    const id = post('t', 'built', '--key', 'build "7"')
    post('t', 'between')
    expect(jwz(['post', 't', '-m', 'built', '--key', 'build "7"', '--as', 'bob'])).toEqual(ok(`${id}\n`))
    expect(jwz(['post', 't', '-m', 'other', '--key', 'build "7"'])).toEqual({
      ...ok(`${id}\n`),
      stderr: `${id} was posted under the key build "7" before, with another body: nothing was posted\n`,
    })
    expect(JSON.parse(jwz(['post', 't', '-m', 'built', '--key', 'build "7"', '--json']).stdout)).toEqual(
      records('t')[0],
    )
    expect(records('t')).toHaveLength(2)
    expect(post('u', 'built', '--key', 'build "7"')).not.toBe(id)
    expect(jwz(['post', 't', '--stdin', '--key', 'k'], { input: 'a\n' })).toEqual(
      failed(2, '--key is for one message; got it beside --stdin; post them one by one'),
    )
    expect(jwz(['post', 't', '-m', 'x', '--key', ''])).toMatchObject({ code: 2 })
  })

  it('knows long bodies, and replies', () => {
    const { jwz, post, records } = freshBus()
    const body = 'x'.repeat(40_000)
    const id = post('t', body, '--key', 'long')
    expect(jwz(['post', 't', '-m', body, '--key', 'long'])).toEqual(ok(`${id}\n`))
    const answer = jwz(['reply', id, '-m', 'yes', '--key', 'answer', '--urgent', '--ttl', '1h']).stdout.trim()
    expect(answer).toMatch(ulidPattern)
    expect(jwz(['reply', id, '-m', 'yes', '--key', 'answer'])).toEqual(ok(`${answer}\n`))
    const [, reply] = records('t')
    expect(reply).toMatchObject({ urgent: true, key: 'answer', reply_to: id })
    expect(Number(reply?.['expires'])).toBe(Number(reply?.['at']) + 3_600_000)
  })

  it('is taken again by who lost with --expect', () => {
    const { jwz, post, records } = freshBus()
    const first = post('t', 'one')
    expect(jwz(['post', 't', '-m', 'mine', '--key', 'k', '--expect', 'none'])).toMatchObject({ code: 5 })
    const id = post('t', 'mine', '--key', 'k', '--expect', first)
    post('t', 'more')
    expect(jwz(['post', 't', '-m', 'mine', '--key', 'k', '--expect', first])).toEqual(ok(`${id}\n`))
    expect(records('t')).toHaveLength(3)
  })

  it(`leaves one message of ${racers} at once, whose id all print`, async () => {
    const bus = freshBus()
    for (let round = 0; round < scaled(10); round++) {
      const started = Array.from({ length: racers }, () =>
        start('jwz', ['post', 'deep:t', '-m', 'same', '--key', `k${round}`], { cwd: bus.cwd, input: '' }),
      )
      const finished = await Promise.all(started.map(({ done }) => done))
      const id = finished[0]?.stdout ?? ''
      expect(finished).toEqual(finished.map(() => ok(id)))
    }
    expect(bus.records('deep:t')).toHaveLength(scaled(10))
  })

  it('leaves one message when it is tried again after a kill at any step', () => {
    const bus = freshBus()
    let code: number | null = null
    let step = 1 - stride
    let tried = 0
    while (code !== 0) {
      tried += 1
      step += stride
      expect(step).toBeLessThan(stepsMax)
      const args = ['post', 't', '-m', `body ${step}`, '--key', `key ${step}`]
      code = bus.jwz(args, { env: faultEnv({ call: '*', nth: step, action: 'kill', match: '.jwz/topics' }) }).code
      expect(bus.jwz(args).stdout.trim()).toMatch(ulidPattern)
    }
    expect(bus.records('t').map(({ key }) => key)).toEqual(
      Array.from({ length: tried }, (_, at) => `key ${1 + at * stride}`),
    )
    expect(bus.jwz(['doctor', '--log'])).toEqual(ok(`t: ${tried} records, 0 torn, 0 repeated, 0 corrupt\n`))
  })
})

describe('jwz post --ttl and --urgent', () => {
  it('say when a message expires and that it matters, on each line of stdin, too', () => {
    const { jwz, records } = freshBus()
    jwz(['post', 't', '--stdin', '--ttl', '2h', '--urgent'], { input: 'a\nb\n' })
    for (const record of records('t')) {
      expect(record).toMatchObject({ urgent: true })
      expect(Math.abs(Number(record['expires']) - Number(record['at']) - 7_200_000)).toBeLessThan(60_000)
    }
    expect(jwz(['post', 't', '-m', 'x', '--ttl', '0s'])).toEqual(failed(2, '--ttl takes a time above 0; got 0'))
    expect(jwz(['post', 't', '-m', 'x', '--ttl', 'soon'])).toMatchObject({ code: 2 })
  })

  itWith('permissions that stop this user', 'a store that cannot be written is no bug', () => {
    const { cwd, jwz } = freshBus()
    jwz(['init'])
    chmodSync(join(cwd, '.jwz/topics'), 0o555)
    for (const flags of [
      ['--key', 'k'],
      ['--expect', 'none'],
    ])
      expect(run('jwz', ['post', 't', '-m', 'x', ...flags], { cwd, unprivileged: true })).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^jwz: .* to be .*, the disk answered EACCES\n$/),
      })
  })
})
