import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { events, ok, place } from './place.ts'
import { answered, sessionAt } from './session-place.ts'

it('counts a stop once that two hooks of it hear one after the other', () => {
  const here = place()
  const { loop, stop } = sessionAt(here, 's-1')
  ok(loop('start', 'x', '--max', '9'))
  const transcript = join(here.agents, 'transcript.jsonl')
  for (const iteration of [2, 3]) {
    appendFileSync(transcript, 'more\n')
    const [first, second] = [1, 2].map(() => answered(stop('the same words', { transcript_path: transcript })))
    expect(first?.block).toContain(`Iteration ${iteration} of 9`)
    expect(second).toEqual({ warning: expect.stringContaining('counted by another hook of loop') })
  }
  expect(events(here.root).filter(({ event }) => event === 'ran')).toHaveLength(2)
})
