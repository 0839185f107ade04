import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { appendLine, type FollowOptions, follow, parseRecord, seal } from '../src/index.ts'
import { pause } from './program.ts'

const ulids = ['01ARZ3NDEKTSV4RRFFQ69G5FAA', '01ARZ3NDEKTSV4RRFFQ69G5FAB'] as const

/** A follower whose next ids can be asked for; stops with the test. */
function following(paths: string | string[], options: Omit<FollowOptions, 'signal'> = {}) {
  const stop = new AbortController()
  const lines = follow(paths, { ...options, signal: stop.signal })
  const next = async (count: number): Promise<unknown[]> => {
    const ids: unknown[] = []
    while (ids.length < count) {
      const { value, done } = await lines.next()
      if (done) break
      ids.push(parseRecord(value)?.id ?? value.text)
    }
    return ids
  }
  /** What comes until a last record that is appended now: nothing else may be in between. */
  const rest = async (path: string): Promise<unknown[]> => {
    appendLine(path, '{"id":"last"}')
    const ids: unknown[] = []
    while (ids.at(-1) !== 'last') ids.push(...(await next(1)))
    stop.abort()
    expect(await lines.next()).toEqual({ value: undefined, done: true })
    return ids.slice(0, -1)
  }
  return { next, rest, stop }
}

function logWith(...ids: string[]): string {
  const path = join(tempFolder('follow'), 't.jsonl')
  for (const id of ids) appendLine(path, JSON.stringify({ id }))
  return path
}

const post = (path: string, ...ids: string[]) => ids.map((id) => appendLine(path, JSON.stringify({ id })))

describe('follow', () => {
  it('begins at the end and yields what is appended', async () => {
    const path = logWith('a')
    const { next, rest } = following(path)
    post(path, 'b', 'c')
    expect(await next(2)).toEqual(['b', 'c'])
    expect(await rest(path)).toEqual([])
  })

  it('begins at the start, or at a place', async () => {
    const path = logWith('a', 'b')
    const [position] = post(path, 'c')
    await seal(path, ulids[0])
    post(path, 'd')
    expect(await following(path, { from: 'start' }).rest(path)).toEqual(['a', 'b', 'c', 'd'])
    const from = { inode: position?.inode ?? 0, offset: position?.offset ?? 0 }
    expect(await following(path, { from }).rest(path)).toEqual(['c', 'd'])
  })

  it('waits for a line to be whole', async () => {
    const path = logWith('a')
    appendFileSync(path, '{"id":')
    const { next } = following(path)
    appendFileSync(path, '"b"}\n')
    expect(await next(1)).toEqual(['b'])
  })

  it('follows several logs, some of which do not exist, nor their folders', async () => {
    const one = logWith('a')
    const two = join(dirname(one), 'issue', 'deep', 'two.jsonl')
    const { next } = following([one, two])
    const first = next(1)
    await pause(20)
    mkdirSync(dirname(two), { recursive: true })
    post(two, 'b')
    expect(await first).toEqual(['b'])
    post(one, 'c')
    expect(await next(1)).toEqual(['c'])
    rmSync(dirname(two), { recursive: true })
    const again = next(1)
    await pause(20)
    mkdirSync(dirname(two), { recursive: true })
    post(two, 'd')
    expect(await again).toEqual(['d'])
  })

  it('finishes a sealed file, goes on in the next, and delivers what comes late in the sealed one', async () => {
    const path = logWith('a')
    const { next, rest } = following(path)
    post(path, 'b')
    const sealed = await seal(path, ulids[0])
    post(path, 'c')
    expect(await next(2)).toEqual(['b', 'c'])
    appendFileSync(sealed ?? '', '{"id":"late"}\n')
    expect(await next(1)).toEqual(['late'])
    await seal(path, ulids[1])
    post(path, 'd')
    expect(await rest(path)).toEqual(['d'])
  })

  it('does not take the next file for the sealed one when their lines end alike', async () => {
    const path = logWith()
    const { next, rest } = following(path)
    const body = 'x'.repeat(10_000)
    appendLine(path, JSON.stringify({ id: 'a', body }))
    expect(await next(1)).toEqual(['a'])
    await seal(path, ulids[0])
    appendLine(path, JSON.stringify({ id: 'b', body }))
    expect(await rest(path)).toEqual(['b'])
  })

  it('goes on where it was when the file is replaced by one that begins alike', async () => {
    const path = logWith('a')
    const { next, rest } = following(path)
    post(path, 'b')
    expect(await next(1)).toEqual(['b'])
    copyFileSync(path, `${path}.new`)
    appendFileSync(`${path}.new`, '{"id":"c"}\n')
    renameSync(`${path}.new`, path)
    expect(await next(1)).toEqual(['c'])
    expect(await rest(path)).toEqual([])
  })

  it('delivers only what is new when upstream lines come before those it has seen', async () => {
    const path = logWith()
    const { next, rest } = following(path)
    post(path, 'a', 'b')
    expect(await next(2)).toEqual(['a', 'b'])
    rmSync(path)
    await pause(50)
    writeFileSync(path, '{"id":"upstream"}\n{"id":"a"}\n{"id":"b"}\n{"id":"c"}\n')
    expect(await rest(path)).toEqual(['upstream', 'c'])
  })

  it('survives truncation, also when the file has grown as long again', async () => {
    const path = logWith()
    const { next, rest } = following(path)
    post(path, 'a', 'b', 'c')
    expect(await next(3)).toEqual(['a', 'b', 'c'])
    const { size } = statSync(path)
    truncateSync(path, size / 3)
    post(path, 'd', 'e', 'f')
    expect(await next(3)).toEqual(['d', 'e', 'f'])
    expect(readFileSync(path, 'utf8')).toBe('{"id":"a"}\n{"id":"d"}\n{"id":"e"}\n{"id":"f"}\n')
    expect(await rest(path)).toEqual([])
  })

  it('notices another content of the same length, in the same file', async () => {
    const path = logWith('a', 'b')
    const { next } = following(path)
    post(path, 'c')
    expect(await next(1)).toEqual(['c'])
    await pause(20)
    writeFileSync(path, readFileSync(path, 'utf8').replace('"c"', '"d"'))
    expect(await next(1)).toEqual(['d'])
  })

  it('yields damaged lines and repeats no record', async () => {
    const path = logWith()
    const { rest } = following(path)
    appendFileSync(path, '{"id":"a"}\nbroken\n{"id":"a"}\n{"id":"b"}\n')
    expect(await rest(path)).toEqual(['a', 'broken', 'b'])
  })

  it('ends at once when its signal is aborted, before or during a wait', async () => {
    const path = logWith('a')
    const stopped = following(path, { from: 'start' })
    stopped.stop.abort()
    expect(await stopped.next(1)).toEqual([])
    const waiting = following(path)
    const none = waiting.next(1)
    await pause(20)
    waiting.stop.abort()
    expect(await none).toEqual([])
  })
})
