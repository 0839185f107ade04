import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { appendLine, type Progress, parseRecord, readLines, readOn, seal } from '../src/index.ts'

const ulids = ['01ARZ3NDEKTSV4RRFFQ69G5FAA', '01ARZ3NDEKTSV4RRFFQ69G5FAB'] as const
const folder = tempFolder('progress')
let folders = 0

/** A log, and a reader of it that keeps nothing but its progress, as JSON. */
function freshReader() {
  folders += 1
  mkdirSync(join(folder, String(folders)))
  const path = join(folder, String(folders), 't.jsonl')
  let kept = '[]'
  const read = (limit = Number.POSITIVE_INFINITY, onLine: () => void = () => undefined): unknown[] => {
    const progress: Progress = JSON.parse(kept)
    const reading = readOn(progress)
    const ids: unknown[] = []
    for (const line of readLines(path, reading)) {
      reading.pass(line.end)
      ids.push(parseRecord(line)?.['id'])
      onLine()
      if (ids.length === limit) break
    }
    kept = JSON.stringify(reading.progress())
    return ids
  }
  const add = (...ids: string[]) => {
    for (const id of ids) appendLine(path, JSON.stringify({ id }))
  }
  /** As if a file had got the inode that another had: the file system gives them out as it likes. */
  const forge = (inode: number, by: number) => {
    kept = kept.replace(`"inode":${inode},`, `"inode":${by},`)
  }
  return { path, read, add, forge }
}

describe('the progress of a reader', () => {
  it('gives each line once, across sealing', async () => {
    const { path, read, add } = freshReader()
    add('a', 'b')
    expect(read()).toEqual(['a', 'b'])
    await seal(path, ulids[0])
    expect(read()).toEqual([])
    add('c')
    await seal(path, ulids[1])
    add('d')
    expect(read()).toEqual(['c', 'd'])
    expect(read()).toEqual([])
  })

  it('takes in the line of a writer that was held up until after its file was sealed and read', async () => {
    const { path, read, add } = freshReader()
    add('a')
    const sealed = await seal(path, ulids[0])
    add('b')
    expect(read()).toEqual(['a', 'b'])
    appendFileSync(sealed ?? '', '{"id":"late"}\n')
    add('c')
    expect(read()).toEqual(['late', 'c'])
    expect(read()).toEqual([])
  })

  it('goes on in a file that has replaced the active one, at the end of what is the same', async () => {
    const { path, read, add } = freshReader()
    add('a')
    await seal(path, ulids[0])
    add('b')
    read()
    writeFileSync(`${path}.new`, `${readFileSync(path, 'utf8')}{"id":"c"}\n`)
    renameSync(`${path}.new`, path)
    expect(read()).toEqual(['c'])
  })

  it('goes on there, too, when the replacement has been sealed since', async () => {
    const { path, read, add } = freshReader()
    add('a', 'b')
    read()
    writeFileSync(`${path}.new`, `${readFileSync(path, 'utf8')}{"id":"c"}\n`)
    renameSync(`${path}.new`, path)
    await seal(path, ulids[0])
    add('d')
    expect(read()).toEqual(['c', 'd'])
  })

  it('goes on in a replacement that has the inode of a segment which was dropped', async () => {
    const { path, read, add, forge } = freshReader()
    add('a')
    const sealed = await seal(path, ulids[0])
    add('b')
    read()
    writeFileSync(`${path}.new`, `${readFileSync(path, 'utf8')}{"id":"c"}\n`)
    forge(statSync(sealed ?? '').ino, statSync(`${path}.new`).ino)
    rmSync(sealed ?? '')
    renameSync(`${path}.new`, path)
    expect(read()).toEqual(['c'])
  })

  it('finds its place in a file that replaced the active one while that was read', () => {
    const { path, read, add } = freshReader()
    add('a', 'b')
    const replace = () => {
      writeFileSync(`${path}.new`, `${readFileSync(path, 'utf8')}{"id":"c"}\n`)
      renameSync(`${path}.new`, path)
    }
    expect(read(1, replace)).toEqual(['a'])
    expect(read()).toEqual(['b', 'c'])
  })

  it('keeps its places in the files behind the one where it stopped', async () => {
    const { path, read, add } = freshReader()
    add('a')
    const sealed = await seal(path, ulids[0])
    add('b')
    read()
    appendFileSync(sealed ?? '', '{"id":"late"}\n{"id":"later"}\n')
    expect(read(1)).toEqual(['late'])
    expect(read()).toEqual(['later'])
    expect(read()).toEqual([])
  })

  it('begins a file anew that has other content under the same inode, and forgets one that was dropped', async () => {
    const { path, read, add } = freshReader()
    add('a')
    const sealed = await seal(path, ulids[0])
    add('b')
    read()
    writeFileSync(path, '{"id":"other"}\n')
    rmSync(sealed ?? '')
    expect(read()).toEqual(['other'])
    expect(read()).toEqual([])
  })
})
