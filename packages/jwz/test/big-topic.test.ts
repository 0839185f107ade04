import { closeSync, mkdirSync, openSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { ulid } from '@switchyard/ground/ulid'
import { meter, scaled } from '@switchyard/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { freshBus } from './bus.ts'

const count = scaled(1_000_000)
const spanMs = 30 * 24 * 3_600_000
const megabyte = 1024 * 1024
const words = 'the cache was stale because two writers took the lock at once and neither looked behind it'.split(' ')

const bus = freshBus()
const ids: string[] = []

/** Message `n` of the topic, as jwz would have written it over the last thirty days. */
function lineOf(n: number, now: number): string {
  const at = now - Math.floor(((count - n) * spanMs) / count)
  const id = ulid(at)
  ids.push(id)
  const body = Array.from({ length: 14 }, (_, place) => words[(n * 7 + place * 5 + (n >> 4)) % words.length]).join(' ')
  const found = n === Math.floor(count / 3) ? ' needle' : ''
  return `{"v":1,"id":"${id}","at":${at},"topic":"big","from":"agent-${n % 9}","body":"${n} ${body}${found}"}\n`
}

beforeAll(() => {
  mkdirSync(dirname(bus.file('big')), { recursive: true })
  const fd = openSync(bus.file('big'), 'w')
  const now = Date.now()
  let block = ''
  for (let n = 0; n < count; n++) {
    block += lineOf(n, now)
    if (block.length > megabyte || n === count - 1) {
      writeSync(fd, block)
      block = ''
    }
  }
  closeSync(fd)
})

/** What a call prints and what it takes of the topic. */
function measured(args: string[]) {
  const { env, taken } = meter('big.jsonl')
  const { code, stdout, stderr } = bus.jwz(args, { env })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return { stdout, ...taken() }
}

describe(`a topic of ${count} messages`, () => {
  it('is about 200 bytes a message', () => {
    expect(statSync(bus.file('big')).size / count).toBeGreaterThan(180)
  })

  it('has its newest read from its end', () => {
    const latest = measured(['latest', 'big', '-q'])
    expect(latest.stdout).toBe(`${ids.at(-1)}\n`)
    expect(latest.bytes).toBeLessThan(megabyte / 4)
    const newest = measured(['read', 'big', '--limit', '20', '-q'])
    expect(newest.stdout).toBe(
      ids
        .slice(-20)
        .map((id) => `${id}\n`)
        .join(''),
    )
    expect(newest.bytes).toBeLessThan(megabyte / 4)
  })

  it('shows any message by its id and reads only around its time', () => {
    for (const place of [0, 1, count >> 1, Math.floor(count * 0.9), count - 1]) {
      const id = ids[place] ?? ''
      const shown = measured(['show', id, '--json'])
      expect(JSON.parse(shown.stdout)).toMatchObject({ id, body: expect.stringMatching(new RegExp(`^${place} `)) })
      expect(shown.bytes).toBeLessThan(megabyte)
    }
  })

  it('reads on behind an id, from where it is', () => {
    const place = count >> 2
    const after = measured(['read', 'big', '--after', ids[place] ?? '', '--limit', '5', '-q'])
    expect(after.stdout).toBe(
      ids
        .slice(place + 1, place + 6)
        .map((id) => `${id}\n`)
        .join(''),
    )
    expect(after.bytes).toBeLessThan(megabyte)
  })

  it('finds an end of an id in little memory', () => {
    const id = ids[count >> 3] ?? ''
    const shown = measured(['show', id.slice(-10), '-q'])
    expect(shown.stdout).toBe(`${id}\n`)
    expect(shown.peakBytes).toBeLessThan(150 * megabyte)
  })

  it('reads what came since a time from its end', () => {
    const limit = String(count)
    const recent = measured(['read', 'big', '--since', '1h', '--limit', limit, '-q'])
    const lines = recent.stdout.split('\n').length - 1
    expect(lines / count).toBeCloseTo(1 / 720, 4)
    expect(recent.bytes).toBeLessThan(megabyte)
  })

  it('is searched in little memory', () => {
    const found = measured(['search', 'needle', '-q'])
    expect(found.stdout).toBe(`${ids[Math.floor(count / 3)]}\n`)
    expect(found.bytes).toBeGreaterThanOrEqual(statSync(bus.file('big')).size)
    expect(found.peakBytes).toBeLessThan(100 * megabyte)
  })

  it('takes a post that expects its newest, and one with a key, at little cost', () => {
    const expecting = measured(['post', 'big', '-m', 'x', '--expect', ids.at(-1) ?? '', '-q'])
    expect(expecting.bytes).toBeLessThan(megabyte)
    const keyed = measured(['post', 'big', '-m', 'y', '--key', 'k', '-q'])
    expect(keyed.peakBytes).toBeLessThan(150 * megabyte)
  })
})
