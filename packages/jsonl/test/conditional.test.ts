import { appendFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { scaled, tempFolder } from '@switchyard/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  appendConditional,
  appendLine,
  conditionalLines,
  countsAsHead,
  foldHead,
  isExpected,
  parseRecord,
  readLines,
  seal,
  validIds,
} from '../src/index.ts'
import { startProgram } from './program.ts'

const ulids = ['01ARZ3NDEKTSV4RRFFQ69G5FAA', '01ARZ3NDEKTSV4RRFFQ69G5FAB'] as const
const freshPath = () => join(tempFolder('conditional'), 't.jsonl')
const judgedIds = (path: string) => [...conditionalLines(path)].map((line) => parseRecord(line)?.id)

describe('foldHead', () => {
  it('lets the first that expects rightly win, and void records move nothing', () => {
    const records = [
      { id: 'a', expect: null },
      { id: 'b', expect: null },
      { id: 'c', expect: 'a' },
      { id: 'd', expect: 'b' },
      { id: 'e' },
      { id: 'f', expect: 'e' },
      { id: 'e' },
      { note: 'no id' },
    ]
    expect([...validIds(records)]).toEqual(['a', 'c', 'e', 'f'])
    expect(foldHead(records)).toBe('f')
    expect(foldHead([])).toBeNull()
  })

  it('gives the same verdict on a record whatever follows it', () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g')
    const record = fc.record({ id, expect: fc.option(id) }, { requiredKeys: ['id'] })
    fc.assert(
      fc.property(fc.array(record), fc.array(record), (before, after) => {
        const verdicts = [...validIds(before)]
        expect([...validIds([...before, ...after])].slice(0, verdicts.length)).toEqual(verdicts)
      }),
    )
  })

  it('asks for exactly the head', () => {
    expect([isExpected({}, 'a'), isExpected({ expect: null }, null), isExpected({ expect: null }, 'a')]).toEqual([
      true,
      true,
      false,
    ])
    expect([
      isExpected({ expect: 'a' }, 'a'),
      isExpected({ expect: 7 }, 'a'),
      isExpected({ expect: undefined }, null),
    ]).toEqual([true, false, false])
  })
})

describe('appendConditional', () => {
  it('says in a conflict that the record is void, and leaves it in the log', async () => {
    const path = freshPath()
    await appendConditional(path, '{"id":"a","expect":null}', countsAsHead('a'))
    await expect(appendConditional(path, '{"id":"b","expect":null}', countsAsHead('b'))).rejects.toMatchObject({
      kind: 'conflict',
      exitCode: 5,
    })
    expect(judgedIds(path)).toEqual(['a', 'b'])
  })

  it('goes on over sealed segments', async () => {
    const path = freshPath()
    await appendConditional(path, '{"id":"a","expect":null}', countsAsHead('a'))
    await seal(path, ulids[0])
    await appendConditional(path, '{"id":"b","expect":"a"}', countsAsHead('b'))
    await seal(path, ulids[1])
    const position = await appendConditional(path, '{"id":"c","expect":"b"}', countsAsHead('c'))
    expect(position.offset).toBe(0)
    expect(judgedIds(path)).toEqual(['a', 'b', 'c'])
  })

  it('judges no record behind a marker; a plain one there is read all the same', async () => {
    const path = freshPath()
    appendLine(path, '{"id":"a"}')
    const sealed = await seal(path, ulids[0])
    appendFileSync(sealed ?? '', '{"id":"late"}\n')
    await appendConditional(path, '{"id":"b","expect":"a"}', countsAsHead('b'))
    expect(judgedIds(path)).toEqual(['a', 'b'])
    expect([...readLines(path)].map((line) => parseRecord(line)?.id)).toEqual(['a', 'late', 'b'])
  })

  it('is not misled by a marker of another segment in the log', async () => {
    const path = freshPath()
    appendLine(path, `{"type":"sealed","v":1,"id":"${ulids[1]}"}`)
    await appendConditional(path, '{"id":"a","expect":null}', countsAsHead('a'))
    await seal(path, ulids[0])
    await appendConditional(path, '{"id":"b","expect":"a"}', countsAsHead('b'))
    expect(judgedIds(path)).toEqual(['a', 'b'])
  })

  it('judges nothing after a segment that a killed sealer left without a marker, until it has one', async () => {
    const path = freshPath()
    appendLine(path, '{"id":"a"}')
    const sealed = path.replace('.jsonl', `.${ulids[0]}.jsonl`)
    renameSync(path, sealed)
    appendLine(path, '{"id":"b"}')
    expect(judgedIds(path)).toEqual(['a'])
    appendFileSync(sealed, '{"id":"late"}\n')
    await appendConditional(path, '{"id":"c","expect":"b"}', countsAsHead('c'))
    expect(judgedIds(path)).toEqual(['a', 'late', 'b', 'c'])
  })

  it('has one winner among racing processes, also while the log is sealed', async () => {
    const path = freshPath()
    appendLine(path, '{"id":"start"}')
    let head = 'start'
    for (let round = 0; round < scaled(100); round++) {
      const rivals = Array.from({ length: 6 }, (_, index) => startProgram('claim', [path, `${round}-${index}`, head]))
      const sealing = startProgram('seal', [path, `01ARZ3NDEKTSV4RRFFQ69G${String(round).padStart(4, '0')}`])
      const results = await Promise.all(rivals.map(async ({ done }) => (await done).stdout))
      await sealing.done
      expect(results.toSorted()).toEqual(['void', 'void', 'void', 'void', 'void', 'won'])
      head = `${round}-${results.indexOf('won')}`
      expect(foldHead([...conditionalLines(path)].map(parseRecord).filter((record) => record !== undefined))).toBe(head)
    }
  })
})
