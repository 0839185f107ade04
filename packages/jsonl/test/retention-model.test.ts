import { existsSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { scaled, tempFolder } from '@switchyard/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { appendLine, dropSegments, parseRecord, readLines, readLinesBackwards, seal } from '../src/index.ts'
import { logReader } from '../src/log-reader.ts'
import { runProgram } from './program.ts'

type Step = { do: 'post'; isOld: boolean } | { do: 'seal' } | { do: 'drop' } | { do: 'kill'; nth: number }

/** What the log should hold: the ids of each segment, the active one last, and which of them are old. */
type Model = { segments: string[][]; old: Set<string> }

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('post' as const), isOld: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('seal' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('drop' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('kill' as const), nth: fc.integer({ min: 1, max: 60 }) }) },
)

const retention = {
  isKept: ({ text }: { text: string }) => !text.includes('"old":true'),
  isCounted: () => true,
  isHeld: () => false,
  takesPart: () => true,
}

const idsOf = (lines: Iterable<{ text: string }>) => [...lines].map((line) => String(parseRecord(line)?.['id']))

function withoutOld({ segments, old }: Model): string[][] {
  const kept = segments.slice(0, -1).findIndex((ids) => ids.some((id) => !old.has(id)))
  return segments.slice(kept === -1 ? segments.length - 1 : kept)
}

async function play(path: string, step: Step, model: Model, id: string): Promise<void> {
  const active = model.segments.at(-1) ?? []
  if (step.do === 'post') {
    appendLine(path, JSON.stringify({ id, ...(step.isOld && { old: true }) }))
    active.push(id)
    if (step.isOld) model.old.add(id)
  } else if (step.do === 'seal') {
    // One name for all: each is moved up behind the one before, dropped or not.
    await seal(path, '01ARZ3NDEKTSV4RRFFQ69G5FAA')
    if (active.length > 0) model.segments.push([])
  } else if (step.do === 'drop') {
    await dropSegments(path, retention, { id, at: 1 })
    model.segments = withoutOld(model)
  } else {
    runProgram('drop', [path], { call: '*', nth: step.nth, action: 'kill' })
    if (existsSync(`${path}.lock`)) utimesSync(`${path}.lock`, 0, 0)
    const left = idsOf(readLines(path)).length
    // Before its commit a killed drop has done nothing, and behind it everything that readers see.
    if (left !== model.segments.flat().length) model.segments = withoutOld(model)
  }
}

describe('a log that is written, sealed and dropped from, with kills', () => {
  it('is what a model says, forwards, backwards and for a follower', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { maxLength: 25 }), async (script) => {
        const path = join(tempFolder('model'), 't.jsonl')
        const model: Model = { segments: [[]], old: new Set() }
        const readNew = logReader(path, 'start')
        const followed: string[] = []
        for (const [index, step] of script.entries()) {
          await play(path, step, model, `m${index}`)
          expect(idsOf(readLines(path))).toEqual(model.segments.flat())
          expect(idsOf(readLinesBackwards(path)).reverse()).toEqual(model.segments.flat())
          followed.push(...idsOf(readNew()))
        }
        const posted = script.flatMap((step, index) => (step.do === 'post' ? [`m${index}`] : []))
        expect(followed).toEqual(posted)
      }),
      { numRuns: scaled(1_000, 30) },
    )
  })
})
