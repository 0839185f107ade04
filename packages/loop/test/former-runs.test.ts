import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import type { LoopEvent } from '../src/state/event-schema.ts'
import { beginWork, reduce, type Work } from '../src/state/reduce.ts'
import { place } from './place.ts'

const runs = fileURLToPath(new URL('../../../docs/formats/fixtures/runs/', import.meta.url))

type Former = { name: string; replay: { run: string; decisions: number; agrees: boolean }; status?: object }

/** A bus with nothing on it but the record of one run. */
function busWith(record: string, id: string) {
  const { root } = place()
  const topics = join(root, '.jwz/topics/loop/run')
  mkdirSync(topics, { recursive: true })
  copyFileSync(record, join(topics, `${id}.jsonl`))
  return (...args: string[]) => run('loop', args, { cwd: root })
}

/** What a version said of its runs: `loop trace --replay --json`, and `loop status --json`. */
function formerlySaid(folder: string): Former[] {
  return readFileSync(join(folder, 'decided.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

// `older` is of the version that told failures in other words; its status of a run that is over was another, too.
describe.each(['former', 'older'])('a run that the %s version recorded', (version) => {
  const folder = join(runs, version)
  const formerly = formerlySaid(folder)

  it.each(formerly)('is decided as it did, and stands as it said: $name', ({ name, replay, status = {} }) => {
    const record = join(folder, `${name}.jsonl`)
    const loop = busWith(record, replay.run)
    const again = loop('trace', replay.run, '--replay', '--json')
    expect(again.stderr).toBe('')
    expect(JSON.parse(again.stdout)).toEqual(replay)
    expect(again.code).toBe(replay.agrees ? 0 : 1)
    const decided = readFileSync(record, 'utf8').match(/"event":"decided"/g) ?? []
    if (replay.agrees) expect(decided).toHaveLength(replay.decisions)
    expect(JSON.parse(loop('status', '--run', replay.run, '--json').stdout)).toMatchObject(status)
  })

  it('is kept with what was decided in it', () => {
    const names = readdirSync(folder).filter((name) => name !== 'decided.jsonl')
    expect(formerly.map(({ name }) => `${name}.jsonl`).sort()).toEqual(names.sort())
  })
})

describe('what the former version told', () => {
  const folder = join(runs, 'former')
  it.each(formerlySaid(folder).filter(({ replay }) => replay.agrees))('is told to the word: $name', ({ name }) => {
    let work: Work | undefined
    for (const line of readFileSync(join(folder, `${name}.jsonl`), 'utf8')
      .trimEnd()
      .split('\n')) {
      const event: LoopEvent = JSON.parse(line).data
      if (event.event === 'began') work = beginWork(event.rules, event.limits)
      if (event.event !== 'decided' || work === undefined) continue
      const next = reduce(work, event.input)
      expect(next.step).toEqual(event.step)
      work = next.work
    }
  })
})
