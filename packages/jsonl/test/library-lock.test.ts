import fs, { rmdirSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { tempFolder } from '@switchyard/testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { makeByAge } from '../src/library-lock.ts'

const { utimes } = fs

function lockIn(folder: string) {
  const file = join(folder, 't.jsonl')
  return { file, directory: `${file}.lock`, note: `${file}.lock.owner` }
}

afterEach(() => {
  fs.utimes = utimes
  syncBuiltinESMExports()
})

describe('a lock directory made where an old one was', () => {
  it('is not ours when another removes it before its time is set', async () => {
    const lock = lockIn(tempFolder('library-lock'))
    fs.utimes = Object.assign((...given: Parameters<typeof utimes>) => {
      rmdirSync(lock.directory)
      utimes(...given)
    }, utimes)
    syncBuiltinESMExports()
    expect(await makeByAge(lock)).toBe(false)
  })

  it('is no lock that waits for a folder that is not there', async () => {
    const lock = lockIn(join(tempFolder('library-lock'), 'gone'))
    await expect(makeByAge(lock)).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
