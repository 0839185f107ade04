import { execFileSync } from 'node:child_process'
import { appendFileSync, copyFileSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { tempFolder } from '@switchyard/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  appendLine,
  cursorAt,
  parseRecord,
  readLines,
  readLinesBackwards,
  resolveCursor,
  seal,
  segmentsOf,
} from '../src/index.ts'

const ulids = ['01ARZ3NDEKTSV4RRFFQ69G5FAA', '01ARZ3NDEKTSV4RRFFQ69G5FAB', '01ARZ3NDEKTSV4RRFFQ69G5FAC'] as const
const folder = tempFolder('read')
let folders = 0
function freshPath(): string {
  folders += 1
  mkdirSync(join(folder, String(folders)))
  return join(folder, String(folders), 't.jsonl')
}
const textsOf = (path: string, from?: { inode: number; offset: number }) =>
  [...readLines(path, from)].map((line) => line.text)

describe('readLines', () => {
  it('finds a log empty that does not exist, nor its folder', () => {
    expect(textsOf(freshPath())).toEqual([])
    expect(textsOf(join(folder, 'missing', 't.jsonl'))).toEqual([])
    expect([...readLinesBackwards(join(folder, 'missing', 't.jsonl'))]).toEqual([])
  })

  it('finds nothing below a file, and refuses a folder or a pipe in the place of the log', () => {
    const path = freshPath()
    writeFileSync(path, '{}\n')
    expect(textsOf(join(path, 't.jsonl'))).toEqual([])
    expect(segmentsOf(join(path, 't.jsonl'))).toEqual([])
    for (const make of [mkdirSync, (to: string) => execFileSync('mkfifo', [to])]) {
      const other = freshPath()
      make(other)
      expect(() => textsOf(other)).toThrow(`${other} was to be read, it is no file`)
      expect(() => [...readLinesBackwards(other)]).toThrow(expect.objectContaining({ kind: 'failed' }))
    }
  })

  it('skips blank lines and stops at the last LF', () => {
    const path = freshPath()
    writeFileSync(path, '\n{"a":1}\r\n \t\n\r\n{"b":2}\n{"c"')
    expect(textsOf(path)).toEqual(['{"a":1}\r', '{"b":2}'])
    expect([...readLines(path)].map(parseRecord)).toEqual([{ a: 1 }, { b: 2 }])
    expect([...readLines(path)].map(({ offset, end }) => [offset, end])).toEqual([
      [1, 10],
      [15, 23],
    ])
  })

  it('yields damaged lines, which hold no record', () => {
    const path = freshPath()
    writeFileSync(path, Buffer.from([0xff, 0x0a, 0x00, 0x0a, 0x5b, 0x5d, 0x0a, 0x37, 0x0a]))
    expect(textsOf(path)).toEqual(['\ufffd', '\u0000', '[]', '7'])
    expect([...readLines(path)].map(parseRecord)).toEqual([undefined, undefined, undefined, undefined])
  })

  it('reads sealed segments in order, then the active file, and hides the markers', async () => {
    const path = freshPath()
    appendLine(path, '{"id":"a"}')
    const first = await seal(path, ulids[1])
    appendLine(path, '{"id":"b"}')
    // A clock that went backwards: the name is moved up behind the last one.
    const second = await seal(path, ulids[0])
    appendLine(path, '{"id":"c"}')
    expect(first).toBe(join(dirname(path), `t.${ulids[1]}.jsonl`))
    expect(second).toBe(join(dirname(path), `t.${ulids[2]}.jsonl`))
    expect(segmentsOf(path)).toEqual([first, second, path])
    expect(textsOf(path)).toEqual(['{"id":"a"}', '{"id":"b"}', '{"id":"c"}'])
    expect([...readLinesBackwards(path)].map((line) => line.text)).toEqual(['{"id":"c"}', '{"id":"b"}', '{"id":"a"}'])
  })

  it('takes no other topic for a segment', () => {
    const path = freshPath()
    for (const name of [
      't.other.jsonl',
      `t.x.${ulids[0]}.jsonl`,
      `t.${ulids[0].toLowerCase()}.jsonl`,
      `u.${ulids[0]}.jsonl`,
      `t.${ulids[0]}`,
    ]) {
      writeFileSync(join(dirname(path), name), '{}\n')
    }
    expect(segmentsOf(path)).toEqual([])
  })

  it('seals nothing when there is nothing, and refuses a bad name', async () => {
    const path = freshPath()
    expect(await seal(path, ulids[0])).toBeUndefined()
    await expect(seal(path, '../x')).rejects.toThrow(
      'a ULID of 26 upper-case characters was expected for a segment, got ../x',
    )
  })

  it('starts at a place, at the oldest line when its file is gone, at the start of a file that was cut', async () => {
    const path = freshPath()
    appendLine(path, '{"id":"a"}')
    const place = appendLine(path, '{"id":"b"}')
    await seal(path, ulids[0])
    appendLine(path, '{"id":"c"}')
    expect(textsOf(path, place)).toEqual(['{"id":"b"}', '{"id":"c"}'])
    expect(textsOf(path, { inode: place.inode, offset: place.end })).toEqual(['{"id":"c"}'])
    expect(textsOf(path, { inode: 1, offset: 5 })).toEqual(['{"id":"a"}', '{"id":"b"}', '{"id":"c"}'])
    expect(textsOf(path, { inode: statSync(path).ino, offset: 999 })).toEqual(['{"id":"c"}'])
  })

  it('misses nothing when the log is sealed while it is read', async () => {
    const path = freshPath()
    appendLine(path, '{"id":"a"}')
    const forwards = readLines(path)
    const backwards = readLinesBackwards(path)
    expect([forwards.next().value?.text, backwards.next().value?.text]).toEqual(['{"id":"a"}', '{"id":"a"}'])
    await seal(path, ulids[0])
    appendLine(path, '{"id":"b"}')
    expect([[...forwards], [...backwards]]).toEqual([[], []])
    expect(textsOf(path)).toEqual(['{"id":"a"}', '{"id":"b"}'])
  })

  it('agrees with its backward twin on any bytes', () => {
    const chunk = fc.oneof(
      fc.constantFrom('\n', '\r\n', '{}', ' ', 'ä'),
      fc.string({ unit: 'binary' }),
      fc.nat({ max: 140_000 }).map((size) => 'x'.repeat(size)),
    )
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 12 }), (chunks) => {
        const path = freshPath()
        writeFileSync(path, chunks.join(''))
        const lines = [...readLines(path)]
        expect([...readLinesBackwards(path)].reverse()).toEqual(lines)
        expect(lines.map(({ text }) => text)).toEqual(
          Buffer.from(chunks.join(''))
            .toString()
            .split('\n')
            .slice(0, -1)
            .filter((text) => !/^[ \t\r]*$/.test(text)),
        )
      }),
      { numRuns: 200 },
    )
  })
})

describe('a cursor', () => {
  const restAfter = (path: string, cursor: Parameters<typeof resolveCursor>[1]) =>
    textsOf(path, resolveCursor(path, cursor)).map((text) => JSON.parse(text).id)

  it('survives JSON, appends and sealing', async () => {
    const path = freshPath()
    appendLine(path, '{"id":"a"}')
    const cursor = JSON.parse(JSON.stringify(cursorAt(path, appendLine(path, '{"id":"b"}'))))
    expect(restAfter(path, cursor)).toEqual([])
    appendLine(path, '{"id":"c"}')
    await seal(path, ulids[0])
    appendLine(path, '{"id":"d"}')
    expect(restAfter(path, cursor)).toEqual(['c', 'd'])
  })

  it('starts anew when its log was removed or is a different one', () => {
    const path = freshPath()
    const cursor = cursorAt(path, appendLine(path, '{"id":"a"}'))
    rmSync(path)
    expect(restAfter(path, cursor)).toEqual([])
    writeFileSync(path, '{"id":"b"}\n{"id":"c"}\n')
    expect(restAfter(path, cursor)).toEqual(['b', 'c'])
  })

  it('leaves nothing out whatever replaces the file, and repeats little when it was only added to', () => {
    const change = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      inPlace: fc.boolean(),
      inserted: fc.nat({ max: 3 }),
      removed: fc.nat({ max: 3 }),
    })
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 400 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        change,
        (count, read, { at, inPlace, inserted, removed }) => {
          const path = freshPath()
          const ids = Array.from({ length: count }, (_, index) => `line ${index}`)
          const positions = ids.map((id) => appendLine(path, JSON.stringify({ id }), { durable: false }))
          const consumed = Math.floor(read * (count - 1)) + 1
          const last = positions[consumed - 1]
          if (last === undefined) throw new Error('bug: no such line')
          const cursor = cursorAt(path, last)
          const changed = [...ids]
          const place = Math.floor(at * count)
          changed.splice(place, removed, ...Array.from({ length: inserted }, (_, index) => `new ${index}`))
          const content = changed.map((id) => `${JSON.stringify({ id })}\n`).join('')
          writeFileSync(`${path}.new`, content)
          if (inPlace) copyFileSync(`${path}.new`, path)
          else renameSync(`${path}.new`, path)
          const seen = new Set([...ids.slice(0, consumed), ...restAfter(path, cursor)])
          expect(changed.filter((id) => !seen.has(id))).toEqual([])
          if (place >= consumed) expect(restAfter(path, cursor)).toEqual(changed.slice(consumed))
        },
      ),
      { numRuns: 100 },
    )
  })

  it('is taken in a log of one long line', () => {
    const path = freshPath()
    const cursor = cursorAt(path, appendLine(path, JSON.stringify({ id: 'x'.repeat(500_000) })))
    appendFileSync(path, '{"id":"b"}\n')
    expect(restAfter(path, cursor)).toEqual(['b'])
  })
})
