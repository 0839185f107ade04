import { readdirSync, readFileSync, renameSync, rmdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { full, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import {
  appendConditional,
  appendLine,
  checkLog,
  conditionalLines,
  countsAsHead,
  foldHead,
  parseRecord,
  readLines,
  readLinesBackwards,
  seal,
  transact,
} from '../src/index.ts'
import { countSteps, hasStopped, type Ran, runProgram, startProgram } from './program.ts'

const ulids = ['01ARZ3NDEKTSV4RRFFQ69G5FAA', '01ARZ3NDEKTSV4RRFFQ69G5FAB', '01ARZ3NDEKTSV4RRFFQ69G5FAC'] as const
const first = '{"id":"first"}'
const mine = '{"id":"mine","body":"ä"}'

function freshLog(content: string | undefined): string {
  const path = join(tempFolder('fault'), 't.jsonl')
  if (content !== undefined) writeFileSync(path, content)
  return path
}

function idsOf(path: string): unknown[] {
  return [...readLines(path)].map((line) => parseRecord(line)?.id).filter((id) => id !== undefined)
}

function recordsJudged(path: string): Record<string, unknown>[] {
  return [...conditionalLines(path)].map(parseRecord).filter((record) => record !== undefined)
}

function timesIn(path: string, id: string): number {
  return idsOf(path).filter((other) => other === id).length
}

/** What a lock without a note costs is a wait for its age; the tests make it old instead. */
function ageLock(path: string): void {
  const old = new Date(Date.now() - 60_000)
  if (statSync(`${path}.lock`, { throwIfNoEntry: false })) utimesSync(`${path}.lock`, old, old)
}

function expectSound(path: string): void {
  expect(checkLog(path).corrupt).toEqual([])
  expect([...readLinesBackwards(path)].reverse()).toEqual([...readLines(path)])
}

const starts = {
  'no file': undefined,
  'a whole file': `${first}\n`,
  'a torn last line': `${first}\n{"id":"torn","bo`,
  'a last line that lacks only its LF': `${first}\n{"id":"whole"}`,
}

/** Every step of a write; every third where the full size is not asked for. */
function stepsTried(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1).filter((nth) => full || nth % 3 === 1)
}

describe.each(Object.entries(starts))('a writer over %s, killed at every step', (_, content) => {
  const steps = countSteps('append', [freshLog(content), mine])

  it.each(stepsTried(steps))('loses nothing at step %i', (nth) => {
    const path = freshLog(content)
    const ran = runProgram('append', [path, mine], { call: '*', nth, action: 'kill' })
    expect(ran).toMatchObject({ signal: 'SIGKILL', stdout: '' })
    appendLine(path, '{"id":"next"}')
    expect(timesIn(path, 'mine')).toBeLessThanOrEqual(1)
    expect(timesIn(path, 'next')).toBe(1)
    expect(timesIn(path, 'first')).toBe(content === undefined ? 0 : 1)
    expectSound(path)
  })
})

const meanwhile = {
  'another writer appends': (path: string) => void appendLine(path, '{"id":"other"}'),
  'another writer is killed half-way': (path: string) =>
    writeFileSync(path, '{"id":"half","body":"\u00e4'.slice(0, 20), { flag: 'a' }),
  'the file is replaced': (path: string) => {
    writeFileSync(`${path}.new`, statSync(path, { throwIfNoEntry: false }) ? readFileSync(path) : '')
    renameSync(`${path}.new`, path)
  },
}

describe.each(Object.entries(meanwhile))('a writer that stands still at any step while %s', (_, interfere) => {
  const steps = countSteps('append', [freshLog(`${first}\n`), mine])

  it.each(stepsTried(steps))('has its line in the log, stopped at step %i', async (nth) => {
    const path = freshLog(`${first}\n`)
    const running = startProgram('append', [path, mine], { call: '*', nth, action: 'stop' })
    expect(await hasStopped(running)).toBe(true)
    interfere(path)
    running.child.kill('SIGCONT')
    expect(await running.done).toMatchObject({ code: 0, stdout: 'done' })
    expect(new Set(idsOf(path))).toContain('mine')
    expect(timesIn(path, 'first')).toBe(1)
    appendLine(path, '{"id":"next"}')
    expect(timesIn(path, 'next')).toBe(1)
    expectSound(path)
  })

  it.each(stepsTried(steps))('has it once when the log is sealed at step %i', async (nth) => {
    const path = freshLog(`${first}\n`)
    const running = startProgram('append', [path, mine], { call: '*', nth, action: 'stop' })
    expect(await hasStopped(running)).toBe(true)
    await seal(path, ulids[0])
    interfere(path)
    running.child.kill('SIGCONT')
    expect(await running.done).toMatchObject({ code: 0, stdout: 'done' })
    expect(timesIn(path, 'mine')).toBe(1)
    expect(timesIn(path, 'first')).toBe(1)
    expectSound(path)
  })
})

describe('a disk that refuses', () => {
  it('is reported when a write comes out short, and the torn line is ended', () => {
    const path = freshLog(`${first}\n`)
    const ran = runProgram('append', [path, mine], { call: 'writeSync', nth: 1, action: 'short' })
    expect(ran.stdout).toBe('')
    expect(ran.stderr).toContain(`Failure: 26 bytes were to be appended to ${path}, the disk took 13`)
    expect(readFileSync(path, 'utf8')).toBe(`${first}\n${mine.slice(0, 13)}\n`)
  })

  it.each(['ENOSPC', 'EIO', 'EACCES'] as const)('is reported as %s', (action) => {
    const path = freshLog(`${first}\n`)
    const ran = runProgram('append', [path, mine], { call: 'writeSync', nth: 1, action })
    expect(ran.stderr).toContain(`Failure: 26 bytes were to be appended to ${path}, the disk answered ${action}`)
    expect(readFileSync(path, 'utf8')).toBe(`${first}\n`)
  })

  it('never acknowledges a line that could not be made durable', () => {
    const path = freshLog(`${first}\n`)
    const ran = runProgram('append', [path, mine], { call: 'fdatasyncSync', nth: 1, action: 'EIO' })
    expect(ran).toMatchObject({ code: 1, stdout: '' })
  })
})

function freeInside(path: string): void {
  if (statSync(`${path}.inside`, { throwIfNoEntry: false })) rmdirSync(`${path}.inside`)
}

describe('a section killed at every step', () => {
  const steps = countSteps('transact', [freshLog(`${first}\n`), mine])

  it.each(stepsTried(steps))('is entered by the next at once or by age, killed at step %i', async (nth) => {
    const path = freshLog(`${first}\n`)
    expect(runProgram('transact', [path, mine], { call: '*', nth, action: 'kill' }).signal).toBe('SIGKILL')
    freeInside(path)
    ageLock(path)
    await transact(path, () => appendLine(path, '{"id":"next"}'), { deadlineMs: 60_000 })
    expect(timesIn(path, 'mine')).toBeLessThanOrEqual(1)
    expect(timesIn(path, 'next')).toBe(1)
    expect(readdirSync(dirname(path)).filter((name) => /\.lock$|\.owner$/.test(name))).toEqual([])
    expectSound(path)
  })

  it.each(stepsTried(steps))('keeps others out or lets them in first, stopped at step %i', async (nth) => {
    const path = freshLog(`${first}\n`)
    const running = startProgram('transact', [path, mine], { call: '*', nth, action: 'stop' })
    expect(await hasStopped(running)).toBe(true)
    const entered = await transact(path, () => readdirSync(dirname(path)).includes('t.jsonl.inside'), {
      deadlineMs: 300,
    }).catch((error: { kind: string }) => error.kind)
    expect(['lockTimeout', false]).toContain(entered)
    running.child.kill('SIGCONT')
    expect(await running.done).toMatchObject({ code: 0, stdout: 'done' })
    expect(timesIn(path, 'mine')).toBe(1)
  })
})

describe('the heir of a dead holder, killed at every step', () => {
  function deadHolder(): string {
    const path = freshLog(`${first}\n`)
    runProgram('die-inside', [path])
    return path
  }
  const steps = countSteps('transact', [deadHolder(), mine])

  it.each(stepsTried(steps))('leaves a lock that the next can take, at step %i', async (nth) => {
    const path = deadHolder()
    expect(runProgram('transact', [path, mine], { call: '*', nth, action: 'kill' }).signal).toBe('SIGKILL')
    freeInside(path)
    ageLock(path)
    await transact(path, () => appendLine(path, '{"id":"next"}'), { deadlineMs: 60_000 })
    expect(timesIn(path, 'next')).toBe(1)
    expect(readdirSync(dirname(path)).filter((name) => /\.lock$|\.owner$/.test(name))).toEqual([])
  })
})

describe('a sealer killed at every step', () => {
  const steps = countSteps('seal', [freshLog(`${first}\n`), ulids[0]])

  it.each(stepsTried(steps))('leaves a log that plain and conditional records go on in, at step %i', async (nth) => {
    const path = freshLog(`${first}\n`)
    expect(runProgram('seal', [path, ulids[0]], { call: '*', nth, action: 'kill' }).signal).toBe('SIGKILL')
    appendLine(path, '{"id":"plain"}')
    await appendConditional(path, '{"id":"next","expect":"plain"}', countsAsHead('next'))
    expect(idsOf(path)).toEqual(['first', 'plain', 'next'])
    expect(foldHead(recordsJudged(path))).toBe('next')
    ageLock(path)
    await seal(path, ulids[1])
    appendLine(path, '{"id":"last"}')
    expect(idsOf(path)).toEqual(['first', 'plain', 'next', 'last'])
    expectSound(path)
  })
})

describe('a conditional record', () => {
  const steps = countSteps('claim', [freshLog(`${first}\n`), 'mine', 'first'])
  const everyStep = stepsTried(steps)

  it.each(everyStep)(
    'killed at step %i either counts or does not, and the next one goes on from there',
    async (nth) => {
      const path = freshLog(`${first}\n`)
      expect(runProgram('claim', [path, 'mine', 'first'], { call: '*', nth, action: 'kill' }).signal).toBe('SIGKILL')
      const head = foldHead(recordsJudged(path))
      expect(['first', 'mine']).toContain(head)
      await appendConditional(path, JSON.stringify({ id: 'next', expect: head }), countsAsHead('next'))
      expect(foldHead(recordsJudged(path))).toBe('next')
      expectSound(path)
    },
  )

  const rivals = {
    'the log is sealed': async (path: string) => {
      await seal(path, ulids[0])
      return false
    },
    'a rival claims': (path: string) => claim(path),
    'the log is sealed, then a rival claims': async (path: string) => {
      await seal(path, ulids[0])
      return claim(path)
    },
    'a rival claims, then the log is sealed': async (path: string) => {
      const won = await claim(path)
      await seal(path, ulids[0])
      return won
    },
    'the log is sealed twice around a rival': async (path: string) => {
      await seal(path, ulids[0])
      const won = await claim(path)
      await seal(path, ulids[1])
      return won
    },
    'a sealer is killed before its marker, then a rival claims': (path: string) => {
      renameSync(path, path.replace('.jsonl', `.${ulids[0]}.jsonl`))
      return claim(path)
    },
  }

  describe.each(Object.entries(rivals))('stopped while %s', (_, interfere) => {
    it.each(everyStep)('has one winner, and every reader agrees, at step %i', async (nth) => {
      const path = freshLog(`${first}\n`)
      const running = startProgram('claim', [path, 'mine', 'first'], { call: '*', nth, action: 'stop' })
      expect(await hasStopped(running)).toBe(true)
      const rivalWon = await interfere(path)
      running.child.kill('SIGCONT')
      const { stdout }: Ran = await running.done
      expect(stdout).toBe(rivalWon ? 'void' : 'won')
      expect(foldHead(recordsJudged(path))).toBe(rivalWon ? 'rival' : 'mine')
      expectSound(path)
    })
  })
})

async function claim(path: string): Promise<boolean> {
  try {
    await appendConditional(path, '{"id":"rival","expect":"first"}', countsAsHead('rival'))
    return true
  } catch (error) {
    if (error instanceof Error && 'kind' in error && error.kind === 'conflict') return false
    throw error
  }
}
