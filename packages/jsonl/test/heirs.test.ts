import { mkdirSync, readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { scaled, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { parseRecord, readLines } from '../src/index.ts'
import { runProgram, startProgram } from './program.ts'

const contendersMax = 8

/**
 * Eight processes want the lock at once; each stays inside for 20 ms and fails if it is not alone, or not in within
 * 3 s.
 */
async function contend(path: string, round: number): Promise<void> {
  const contenders = Array.from({ length: contendersMax }, (_, index) =>
    startProgram('transact', [path, `{"id":"${round}-${index}"}`, '20']),
  )
  for (const { done } of contenders) expect(await done).toMatchObject({ code: 0, stdout: 'done', stderr: '' })
}

describe('a lock whose holder was killed', () => {
  it('has one heir at a time, and all who wait get in within 3 s', async () => {
    const folder = tempFolder('heirs')
    const path = join(folder, 't.jsonl')
    const rounds = scaled(50, 25)
    for (let round = 0; round < rounds; round++) {
      expect(runProgram('die-inside', [path]).signal).toBe('SIGKILL')
      expect(readdirSync(folder)).toEqual(expect.arrayContaining(['t.jsonl.lock', 't.jsonl.lock.owner']))
      await contend(path, round)
    }
    const ids = new Set([...readLines(path)].map((line) => parseRecord(line)?.id))
    expect(ids.size).toBe(rounds * contendersMax)
    expect(readdirSync(folder)).toEqual(['t.jsonl'])
  })

  it('has one heir at a time when it left no note and the lock is old', async () => {
    const folder = tempFolder('heirs')
    const path = join(folder, 't.jsonl')
    const old = new Date(Date.now() - 60_000)
    for (let round = 0; round < scaled(20, 10); round++) {
      mkdirSync(`${path}.lock`)
      utimesSync(`${path}.lock`, old, old)
      await contend(path, round)
    }
    expect(readdirSync(folder)).toEqual(['t.jsonl'])
  })
})
