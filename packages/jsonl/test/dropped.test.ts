import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { appendLine, readDropped, readLines, readLinesBackwards, seal, segmentsOf } from '../src/index.ts'

const ulids = ['01ARZ3NDEKTSV4RRFFQ69G5FAA', '01ARZ3NDEKTSV4RRFFQ69G5FAB', '01ARZ3NDEKTSV4RRFFQ69G5FAC'] as const

async function threeSegments(): Promise<string> {
  const path = join(tempFolder('dropped'), 't.jsonl')
  for (const [index, ulid] of ulids.entries()) {
    appendLine(path, JSON.stringify({ id: `m${index}` }))
    await seal(path, ulid)
  }
  return path
}

const idsOf = (path: string) => [...readLines(path)].map(({ text }) => JSON.parse(text).id)
const drop = (upTo: string, head: string | null) => `${JSON.stringify({ v: 1, id: 'd', at: 1, upTo, head })}\n`

describe('the side file of a log', () => {
  it('says nothing where nothing was dropped', async () => {
    expect(readDropped(await threeSegments())).toBeUndefined()
    expect(readDropped('/nowhere/t.jsonl')).toBeUndefined()
  })

  it('ends the log before the segments it names, in both directions, also while their files are there', async () => {
    const path = await threeSegments()
    writeFileSync(`${path}.dropped`, drop(ulids[0], null) + drop(ulids[1], 'm1'))
    expect(readDropped(path)).toEqual({ upTo: ulids[1], head: 'm1' })
    expect(idsOf(path)).toEqual(['m2'])
    expect([...readLinesBackwards(path)]).toEqual([...readLines(path)])
    expect(segmentsOf(path)).toHaveLength(1)
  })

  it('is read from its last whole line, past one that is torn or damaged', async () => {
    const path = await threeSegments()
    writeFileSync(`${path}.dropped`, drop(ulids[0], 'm0'))
    appendFileSync(`${path}.dropped`, `{"upTo":5}\n${'x'.repeat(20_000)}\n${drop(ulids[2], null).slice(0, -1)}`)
    expect(readDropped(path)).toEqual({ upTo: ulids[0], head: 'm0' })
    expect(idsOf(path)).toEqual(['m1', 'm2'])
  })

  it('moves the name of the next segment up when the clock went back behind the last drop', async () => {
    const path = await threeSegments()
    writeFileSync(`${path}.dropped`, drop(ulids[2], null))
    appendLine(path, '{"id":"young"}')
    await seal(path, ulids[0])
    expect(idsOf(path)).toEqual(['young'])
  })

  it('is refused as a folder, with the answer of the disk', async () => {
    const path = await threeSegments()
    mkdirSync(`${path}.dropped`)
    expect(() => idsOf(path)).toThrow(expect.objectContaining({ kind: 'failed' }))
  })
})
