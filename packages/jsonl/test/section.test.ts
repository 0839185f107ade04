import { mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Failure } from '@switchyard/ground/failure'
import { tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { holdLock, transact } from '../src/index.ts'
import { pause, startProgram } from './program.ts'

const freshPath = () => join(tempFolder('section'), 't.jsonl')
const namesBeside = (path: string) => readdirSync(dirname(path))

describe('transact', () => {
  it('runs its body before it returns when the lock is free, and leaves nothing behind', async () => {
    const path = freshPath()
    let names: string[] = []
    const result = transact(path, () => {
      names = namesBeside(path)
      return 42
    })
    expect(names).toEqual(['t.jsonl.lock', 't.jsonl.lock.owner'])
    expect(await result).toBe(42)
    expect(namesBeside(path)).toEqual([])
  })

  it('gives the lock back when its body fails', async () => {
    const path = freshPath()
    const body = () => {
      throw new Error('body')
    }
    await expect(transact(path, body)).rejects.toThrow('body')
    expect(namesBeside(path)).toEqual([])
  })

  it('names the holder when the lock is not had in time', async () => {
    const path = freshPath()
    const holder = startProgram('hold', [path])
    await holder.saw('inside')
    const late = await transact(path, () => 0, { deadlineMs: 200 }).catch((error: unknown) => error)
    expect(late).toBeInstanceOf(Failure)
    expect(late).toMatchObject({
      kind: 'lockTimeout',
      message: `the lock of ${path} was expected within 200 ms, process ${holder.child.pid} holds it`,
      hint: `try again; if process ${holder.child.pid} hangs, end it`,
    })
    holder.child.stdin?.end()
    expect((await holder.done).stdout).toBe('insidedone')
  })

  it('waits longer than for one holder while the lock goes from hand to hand, but not for ever', async () => {
    const path = freshPath()
    mkdirSync(`${path}.lock`)
    const takeTurns = async (ms: number) => {
      const until = Date.now() + ms
      for (let turn = 0; Date.now() < until; turn++) {
        writeFileSync(`${path}.lock.owner`, JSON.stringify({ pid: 1, bootId: 'other', turn }))
        await pause(100)
      }
      utimesSync(`${path}.lock`, new Date(0), new Date(0))
    }
    // So long a deadline that no machine stands still for it, and longer turns of others.
    const crowd = takeTurns(5_000)
    expect(await transact(path, () => 'in', { deadlineMs: 4_000 })).toBe('in')
    await crowd
    mkdirSync(`${path}.lock`)
    const longer = takeTurns(3_000)
    await expect(transact(path, () => 0, { deadlineMs: 300 })).rejects.toMatchObject({ kind: 'lockTimeout' })
    await longer
  })

  it('takes the lock of a killed holder of a long section at once', async () => {
    const path = freshPath()
    const holder = startProgram('hold', [path])
    await holder.saw('inside')
    holder.child.kill('SIGKILL')
    await holder.done
    expect(await transact(path, () => 'in', { deadlineMs: 60_000 })).toBe('in')
    expect(namesBeside(path)).toEqual([])
  })

  it('waits for a long section of its own process without blocking it', async () => {
    const path = freshPath()
    const order: string[] = []
    const long = holdLock(path, async () => {
      await pause(50)
      order.push('long')
    })
    await transact(path, () => order.push('short'))
    await long
    expect(order).toEqual(['long', 'short'])
  })

  it('says so when the lock was taken away, and leaves the other holder alone', async () => {
    const path = freshPath()
    const lost = transact(path, () => writeFileSync(`${path}.lock.owner`, '{"pid":1}'))
    await expect(lost).rejects.toMatchObject({ kind: 'conflict' })
    expect(namesBeside(path)).toEqual(['t.jsonl.lock', 't.jsonl.lock.owner'])
  })

  it.each([
    ['no note', undefined],
    ['an unreadable note', 'not json'],
    [
      'a note of another boot',
      JSON.stringify({ pid: 1, startTime: '1', pidNamespace: 'pid:[1]', bootId: 'other', directory: '1:1' }),
    ],
  ])('leaves a lock with %s alone until it is old', async (_, note) => {
    const path = freshPath()
    mkdirSync(`${path}.lock`)
    if (note !== undefined) writeFileSync(`${path}.lock.owner`, note)
    await expect(transact(path, () => 0, { deadlineMs: 600 })).rejects.toMatchObject({ kind: 'lockTimeout' })
    const old = new Date(Date.now() - 61_000)
    writeFileSync(`${path}.lock.owner.1-2-3`, 'the draft of a killed process')
    utimesSync(`${path}.lock.owner.1-2-3`, old, old)
    utimesSync(`${path}.lock`, old, old)
    expect(await transact(path, () => 'in', { deadlineMs: 60_000 })).toBe('in')
    expect(namesBeside(path)).toEqual([])
  })

  it('is not fooled by the note of a dead process about an earlier lock', async () => {
    const path = freshPath()
    mkdirSync(`${path}.lock`)
    await transact(`${path}.other`, () => {
      const note = JSON.parse(readFileSync(`${path}.other.lock.owner`, 'utf8'))
      writeFileSync(`${path}.lock.owner`, JSON.stringify({ ...note, pid: 2 ** 22 + 1 }))
    })
    await expect(transact(path, () => 0, { deadlineMs: 300 })).rejects.toMatchObject({ kind: 'lockTimeout' })
  })

  it('locks the same for a file and for a link to it', async () => {
    const path = freshPath()
    writeFileSync(path, '')
    symlinkSync(path, `${path}.link`)
    await transact(`${path}.link`, () => expect(namesBeside(path)).toContain('t.jsonl.lock'))
  })
})

describe('holdLock', () => {
  it('keeps others out, returns what its body returns and leaves nothing behind', async () => {
    const path = freshPath()
    const result = await holdLock(path, async (lost) => {
      await expect(transact(path, () => 0, { deadlineMs: 300 })).rejects.toMatchObject({ kind: 'lockTimeout' })
      return lost.aborted
    })
    expect(result).toBe(false)
    expect(namesBeside(path)).toEqual([])
  })

  it('gives the lock back when its body fails', async () => {
    const path = freshPath()
    await expect(holdLock(path, () => Promise.reject(new Error('body')))).rejects.toThrow('body')
    expect(namesBeside(path)).toEqual([])
  })

  it('aborts its signal and ends in a conflict when the lock is taken away', async () => {
    const path = freshPath()
    const section = holdLock(path, async (lost) => {
      const old = new Date(Date.now() - 60_000)
      utimesSync(`${path}.lock`, old, old)
      writeFileSync(`${path}.lock.owner`, '{"pid":1}')
      await new Promise((resolve) => lost.addEventListener('abort', resolve))
    })
    await expect(section).rejects.toMatchObject({ kind: 'conflict' })
  })
})
