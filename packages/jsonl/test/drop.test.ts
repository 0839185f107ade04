import { existsSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { full, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import {
  appendLine,
  checkLog,
  cursorAt,
  dropSegments,
  follow,
  type Line,
  parseRecord,
  type Retention,
  readDropped,
  readLines,
  readLinesBackwards,
  resolveCursor,
  seal,
} from '../src/index.ts'
import { countSteps, hasStopped, runProgram, startProgram, traceOf } from './program.ts'

const ulids = ['01ARZ3NDEKTSV4RRFFQ69G5FAA', '01ARZ3NDEKTSV4RRFFQ69G5FAB', '01ARZ3NDEKTSV4RRFFQ69G5FAC'] as const
const mine = '{"id":"mine"}'

const retention: Retention = {
  isKept: ({ text }) => !text.includes('"old":true'),
  isCounted: () => true,
  isHeld: () => false,
  takesPart: () => true,
}

function* recordsOf(lines: Iterable<Line>): Generator<Record<string, unknown>> {
  for (const line of lines) {
    const record = parseRecord(line)
    if (record !== undefined) yield record
  }
}

const old = (id: string) => JSON.stringify({ id, old: true })
const young = (id: string) => JSON.stringify({ id })
const drop = (path: string, options: Partial<Parameters<typeof dropSegments>[2]> = {}) =>
  dropSegments(path, retention, { id: 'drop', at: 1, ...options })

/** A log of segments, given the lines of each; the last list is the active file's. */
async function logOf(...segments: readonly (readonly string[])[]): Promise<string> {
  const path = join(tempFolder('drop'), 't.jsonl')
  for (const [index, lines] of segments.entries()) {
    for (const line of lines) appendLine(path, line)
    if (index < segments.length - 1) await seal(path, ulids[index] ?? '')
  }
  return path
}

const idsOf = (path: string) => [...recordsOf(readLines(path))].map(({ id }) => id)
const filesOf = (path: string) =>
  readdirSync(dirname(path))
    .filter((name) => !name.includes('.lock'))
    .sort()

/** The ids a follower from the start is given, up to one that is appended for it. */
async function followed(path: string): Promise<unknown[]> {
  appendLine(path, young('end'))
  const ids: unknown[] = []
  for await (const line of follow(path, { from: 'start' })) {
    const id = parseRecord(line)?.['id']
    if (id === 'end') break
    ids.push(id)
  }
  return ids
}

describe('dropping segments', () => {
  it('drops the oldest in which nothing is kept, and records how much that was', async () => {
    const path = await logOf([old('a'), old('b')], [old('c')], [young('d')])
    const bytes = ulids.slice(0, 2).map((ulid) => statSync(path.replace('.jsonl', `.${ulid}.jsonl`)).size)
    const record = await drop(path, { at: 7 })
    const counts = { segments: 2, messages: 3, bytes: bytes.reduce((sum, size) => sum + size, 0) }
    expect(record).toEqual({ v: 1, id: 'drop', at: 7, upTo: ulids[1], ...counts, head: 'c', last: 'c' })
    expect(readFileSync(`${path}.dropped`, 'utf8')).toBe(`${JSON.stringify(record)}\n`)
    expect(readDropped(path)).toEqual({ upTo: ulids[1], head: 'c' })
    expect(filesOf(path)).toEqual(['t.jsonl', 't.jsonl.dropped'])
    expect(idsOf(path)).toEqual(['d'])
  })

  it('keeps a segment with one line that is kept, and all behind it', async () => {
    const path = await logOf([old('a')], [young('b'), old('c')], [old('d')], [young('e')])
    expect(await drop(path)).toMatchObject({ upTo: ulids[0], segments: 1 })
    expect(idsOf(path)).toEqual(['b', 'c', 'd', 'e'])
    expect(await drop(path)).toBeUndefined()
  })

  it('keeps a segment that is held, and never the active file', async () => {
    const path = await logOf([old('a')], [old('b')], [old('c')])
    const [, second] = [...readLines(path)]
    const record = await dropSegments(
      path,
      { ...retention, isHeld: (file) => file === second?.segment },
      { id: 'drop', at: 1 },
    )
    expect(record).toMatchObject({ upTo: ulids[0] })
    expect(await drop(path)).toMatchObject({ upTo: ulids[1] })
    expect(idsOf(path)).toEqual(['c'])
  })

  it('copies each whole to the archive first', async () => {
    const path = await logOf([old('a')], [old('b')], [young('c')])
    const archive = tempFolder('archive')
    const names = ulids.slice(0, 2).map((ulid) => `t.${ulid}.jsonl`)
    const before = names.map((name) => readFileSync(join(dirname(path), name)))
    expect(await drop(path, { archive })).toMatchObject({ archive })
    expect(readdirSync(archive).sort()).toEqual(names)
    expect(names.map((name) => readFileSync(join(archive, name)))).toEqual(before)
  })

  it('drops nothing when the archive refuses', async () => {
    const path = await logOf([old('a')], [young('b')])
    await expect(drop(path, { archive: '/nowhere' })).rejects.toThrow('ENOENT')
    expect(idsOf(path)).toEqual(['a', 'b'])
    expect(await drop(path)).toMatchObject({ segments: 1 })
  })

  it('keeps the head, so that what was current before stays so for conditional records', async () => {
    const path = await logOf([old('a'), JSON.stringify({ id: 'void', old: true, expect: 'other' })], [young('b')])
    expect(await drop(path)).toMatchObject({ head: 'a', last: 'void' })
    const again = await logOf([old('a')], [])
    await drop(again)
    appendLine(again, old('x'))
    await seal(again, ulids[0])
    expect(await drop(again)).toMatchObject({ head: 'x' })
    expect(readFileSync(`${again}.dropped`, 'utf8').split('\n')).toHaveLength(3)
  })

  it('lets a cursor in what was dropped read on from the oldest there is', async () => {
    const path = await logOf([old('a'), old('b')], [old('c')], [young('d')])
    const [first] = [...readLines(path)]
    const cursor = first && cursorAt(path, first)
    await drop(path)
    expect(cursor && [...readLines(path, resolveCursor(path, cursor))].map(({ text }) => text)).toEqual([young('d')])
  })
})

describe('a drop killed at every step', () => {
  const make = () => logOf([old('a')], [old('b')], [young('c'), old('d')], [young('e')])

  it('leaves every young record readable, and the next one finishes', async () => {
    const steps = countSteps('drop', [await make(), tempFolder('archive')])
    expect(steps).toBeGreaterThan(40)
    for (let nth = 1; nth <= steps; nth += full ? 1 : 9) {
      const path = await make()
      expect(runProgram('drop', [path, tempFolder('archive')], { call: '*', nth, action: 'kill' }).signal).toBe(
        'SIGKILL',
      )
      const left = idsOf(path)
      expect([nth, left.slice(-3)]).toEqual([nth, ['c', 'd', 'e']])
      expect(left.filter((id) => ['a', 'b'].includes(String(id))).length % 2).toBe(0)
      expect([...readLinesBackwards(path)].reverse()).toEqual([...readLines(path)])
      if (existsSync(`${path}.lock`)) utimesSync(`${path}.lock`, 0, 0)
      await drop(path)
      expect([nth, idsOf(path)]).toEqual([nth, ['c', 'd', 'e']])
      expect(filesOf(path)).toEqual(['t.01ARZ3NDEKTSV4RRFFQ69G5FAC.jsonl', 't.jsonl', 't.jsonl.dropped'])
      expect(readDropped(path)).toEqual({ upTo: ulids[1], head: 'b' })
      expect(await followed(path)).toEqual(['c', 'd', 'e'])
    }
  })
})

describe('a drop beside a writer that still has the leaving segment open', () => {
  const make = () => logOf([old('a')], [old('b')])
  const everyStep = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

  /** Stops a writer at a step of its own, and seals the file it writes to. */
  async function stoppedWriter(path: string, nth: number) {
    const writer = startProgram('append', [path, mine], { call: '*', nth, action: 'stop' })
    expect(await hasStopped(writer)).toBe(true)
    await seal(path, ulids[1])
    return writer
  }

  async function expectMineOnce(path: string, where: unknown) {
    expect([where, new Set(idsOf(path)).has('mine')]).toEqual([where, true])
    expect([where, (await followed(path)).filter((id) => id === 'mine')]).toEqual([where, ['mine']])
    expect(checkLog(path).corrupt).toEqual([])
  }

  it('never loses the line, wherever the writer stands still while everything is dropped', async () => {
    for (const nth of everyStep(countSteps('append', [await make(), mine]))) {
      const path = await make()
      const writer = await stoppedWriter(path, nth)
      await drop(path)
      // Whatever inode is free now may be given to the new file.
      appendLine(path, young('next'))
      writer.child.kill('SIGCONT')
      expect(await writer.done).toMatchObject({ code: 0, stdout: 'done' })
      await expectMineOnce(path, nth)
    }
  })

  it('never loses the line, wherever the drop stands still while the writer writes', async () => {
    const calls = traceOf('append', [await make(), mine])
    const isJustBefore = (writes: number) => calls[writes - 1]?.includes('writeSync')
    const path = await make()
    await seal(path, ulids[1])
    const dropSteps = countSteps('drop', [path])
    const pairs = everyStep(calls.length).flatMap((writes) =>
      everyStep(dropSteps).map((drops) => [writes, drops] as const),
    )
    // The line that comes while the segment is announced, read again, recorded and removed is the one to lose.
    const chosen = full ? pairs : pairs.filter(([writes, drops]) => isJustBefore(writes) && drops % 4 === 0)
    for (const [writes, drops] of chosen) {
      const log = await make()
      const writer = await stoppedWriter(log, writes)
      const dropper = startProgram('drop', [log], { call: '*', nth: drops, action: 'stop' })
      if (await hasStopped(dropper)) {
        writer.child.kill('SIGCONT')
        expect(await writer.done).toMatchObject({ code: 0, stdout: 'done' })
        dropper.child.kill('SIGCONT')
      } else {
        writer.child.kill('SIGCONT')
      }
      expect(await dropper.done).toMatchObject({ code: 0 })
      expect(await writer.done).toMatchObject({ code: 0, stdout: 'done' })
      await expectMineOnce(log, [writes, drops])
    }
  })
})
