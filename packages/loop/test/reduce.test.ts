import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { beginWork, firstStep, reduce, type Work } from '../src/state/reduce.ts'
import type { WorkInput, WorkStep } from '../src/state/work-schema.ts'

const issue = { verifies: true, reviews: false, lands: true }
const reviewed = { verifies: true, reviews: true, lands: true }
const task = { verifies: false, reviews: false, lands: false }
const begin = (rules = issue, iterations = 5) => beginWork(rules, { iterations })

type Turn = Extract<WorkInput, { of: 'turn' }>
const turn = (said: Turn['said'], more: Partial<Turn> = {}): Turn => ({
  ...{ of: 'turn', said, changed: true, left: null, at: 0, output: 'out' },
  ...more,
})
const verify = (passed: boolean, output = 'out', changed = true): WorkInput => ({
  of: 'verify',
  passed,
  changed,
  output,
})
const review = (verdict: 'approved' | 'changes' | 'missing' | 'outdated'): WorkInput => ({
  of: 'review',
  verdict,
  output: 'see line 3',
})
const conflict: WorkInput = { of: 'landing', end: 'conflict', files: ['a.txt'], output: 'their diff' }

function steps(work: Work, ...inputs: readonly WorkInput[]): WorkStep[] {
  let now = work
  return inputs.map((input) => {
    const next = reduce(now, input)
    now = next.work
    return next.step
  })
}

const last = (work: Work, ...inputs: readonly WorkInput[]) => steps(work, ...inputs).at(-1)

describe('what comes next', () => {
  it.each<[string, WorkInput, object]>([
    ['verify when the agent is done and something changed', turn('done'), { do: 'verify' }],
    ['run again when nothing changed', turn('done', { changed: false }), { do: 'run', iteration: 2 }],
    ['verify the base when there is nothing to do', turn('nothing', { changed: false }), { do: 'verify' }],
    ['run again when the runner failed', turn('failed'), { do: 'run', feedback: expect.stringContaining('out') }],
    ['run again when the runner did not end', turn('timeout'), { do: 'run', iteration: 2 }],
    ['go on without a word when the agent only stopped', turn('quiet'), { do: 'run', iteration: 2 }],
    ['end when the agent is stuck', turn('stuck'), { do: 'end', outcome: 'stuck' }],
    ['land what is verified', verify(true), { do: 'land' }],
    [
      'end as already done when what is verified is the base',
      verify(true, '', false),
      { do: 'end', outcome: 'already-done' },
    ],
    ['run again when verify failed', verify(false), { do: 'run', feedback: expect.stringContaining('out') }],
    [
      'end when it landed',
      { of: 'landing', end: 'landed', sha: 'abc' },
      { do: 'end', outcome: 'landed', commit: 'abc' },
    ],
    ['verify the base when nothing was left to land', { of: 'landing', end: 'empty' }, { do: 'verify' }],
    [
      'run again after a conflict, told the other side',
      conflict,
      { do: 'run', feedback: expect.stringContaining('their diff') },
    ],
    [
      'park what git refuses',
      { of: 'landing', end: 'parked', reason: 'dirty' },
      { do: 'end', outcome: 'parked', reason: 'dirty' },
    ],
    [
      'stop when the claim is lost',
      { of: 'landing', end: 'claim-lost', reason: 'bob' },
      { do: 'end', outcome: 'skipped' },
    ],
    ['wait when it is paused', { of: 'control', command: 'pause', reason: '' }, { do: 'wait' }],
    ['end when it is cancelled', { of: 'control', command: 'cancel', reason: '' }, { do: 'end', outcome: 'cancelled' }],
  ])('%s', (_, input, step) => {
    expect(last(begin(), input)).toMatchObject(step)
  })

  it('asks for a review behind verify, and lands what is approved', () => {
    expect(steps(begin(reviewed), turn('done'), verify(true), review('approved'))).toMatchObject([
      { do: 'verify' },
      { do: 'review' },
      { do: 'land' },
    ])
  })

  it('is complete at once where nothing has to hold', () => {
    expect(last(begin(task), turn('done', { changed: false }))).toMatchObject({ do: 'end', outcome: 'complete' })
  })

  it('goes on where it was when it is resumed', () => {
    const pause: WorkInput = { of: 'control', command: 'pause', reason: '' }
    const resume: WorkInput = { of: 'control', command: 'resume', reason: '' }
    expect(steps(begin(), turn('quiet'), pause, turn('done'), resume)).toMatchObject([
      { do: 'run', iteration: 2 },
      { do: 'wait' },
      { do: 'wait' },
      { do: 'run', iteration: 2 },
    ])
  })
})

describe('limits', () => {
  it.each([turn('failed'), turn('done', { changed: false }), verify(false), review('missing')])(
    'gives up at the last iteration (%#)',
    (input) => {
      expect(last(begin(reviewed, 1), input)).toMatchObject({ do: 'end', outcome: 'gave-up' })
    },
  )

  it('lets what is done at the last iteration pass its gates', () => {
    expect(steps(begin(issue, 1), turn('done'), verify(true))).toMatchObject([{ do: 'verify' }, { do: 'land' }])
  })

  it.each([
    ['tokens', { tokens: 100 }, turn('quiet', { tokens: 60 })],
    ['money', { cost_usd: 1 }, turn('quiet', { cost_usd: 0.6 })],
  ])('gives up when the %s are spent', (_, limit, spending) => {
    expect(steps(beginWork(task, { iterations: 9, ...limit }), spending, spending)).toMatchObject([
      { do: 'run' },
      { do: 'end', outcome: 'gave-up' },
    ])
  })

  it('gives up when its time is over', () => {
    expect(last(beginWork(task, { iterations: 9, until: 10 }), turn('quiet', { at: 10 }))).toMatchObject({
      outcome: 'gave-up',
    })
  })
})

describe('breakers', () => {
  it('is stuck when a gate stays closed in the same way three times, whatever it took', () => {
    const times = ['in 12 ms', 'in 9.5 s', 'in 1 ms'].map((text) => verify(false, `1 failed ${text}`))
    expect(steps(begin(), ...times).map((step) => step.do)).toEqual(['run', 'run', 'end'])
    expect(last(begin(), ...times)).toMatchObject({ outcome: 'stuck' })
  })

  it('takes a gate that closes in another way for progress', () => {
    expect(
      last(begin(), verify(false, '42 failing'), verify(false, '41 failing'), verify(false, '40 failing')),
    ).toMatchObject({
      do: 'run',
    })
  })

  it('nudges once when three turns leave the same tree, and is stuck at the fourth', () => {
    const still = turn('quiet', { left: 'tree' })
    const all = steps(begin(task, 9), still, still, still, still)
    expect(all.map((step) => ('feedback' in step ? 'nudge' : step.do))).toEqual(['run', 'run', 'nudge', 'end'])
  })

  it('parks at the third conflict', () => {
    expect(steps(begin(), conflict, conflict, conflict).at(-1)).toMatchObject({ do: 'end', outcome: 'parked' })
  })

  it('is stuck when three reviews ask for changes', () => {
    expect(last(begin(reviewed), review('changes'), review('changes'), review('changes'))).toMatchObject({
      outcome: 'stuck',
    })
  })
})

const anyInput = fc.oneof(
  fc.record({
    of: fc.constant('turn' as const),
    said: fc.constantFrom<Turn['said'][]>('done', 'nothing', 'quiet', 'failed', 'timeout'),
    changed: fc.boolean(),
    left: fc.constantFrom(null, 'a', 'b'),
    at: fc.nat(100),
    output: fc.string(),
  }),
  fc.constantFrom(verify(true), verify(false), verify(true, '', false)),
  fc.constantFrom(review('approved'), review('changes'), review('missing'), review('outdated')),
  fc.constantFrom<WorkInput>(
    conflict,
    { of: 'landing', end: 'unverified', output: '' },
    { of: 'landing', end: 'empty' },
  ),
  fc.constantFrom<WorkInput>(
    { of: 'control', command: 'pause', reason: '' },
    { of: 'control', command: 'resume', reason: '' },
  ),
)

describe('whatever happens', () => {
  const anyRules = fc.record({ verifies: fc.boolean(), reviews: fc.boolean(), lands: fc.boolean() })

  it('iterations grow by one at a time, never beyond the limit, and what is over stays over', () => {
    fc.assert(
      fc.property(
        anyRules,
        fc.integer({ min: 1, max: 6 }),
        fc.array(anyInput, { maxLength: 60 }),
        (rules, max, inputs) => {
          let work = beginWork(rules, { iterations: max })
          let ended: WorkStep | undefined
          for (const input of inputs) {
            const next = reduce(work, input)
            if (ended) expect(next.step).toEqual(ended)
            expect(next.work.iteration - work.iteration).toBeGreaterThanOrEqual(0)
            expect(next.work.iteration - work.iteration).toBeLessThanOrEqual(1)
            expect(next.work.iteration).toBeLessThanOrEqual(max)
            if (next.step.do === 'end') ended = next.step
            work = next.work
          }
        },
      ),
    )
  })

  it('every work ends when each step is answered in kind', () => {
    const answers = fc.infiniteStream(anyInput)
    fc.assert(
      fc.property(anyRules, fc.integer({ min: 1, max: 6 }), answers, (rules, max, stream) => {
        let work = beginWork(rules, { iterations: max })
        let step: WorkStep = firstStep
        let passed = false
        for (let count = 0; step.do !== 'end'; count++) {
          expect(count).toBeLessThan(200)
          if (step.do === 'land' && rules.verifies) expect(passed).toBe(true)
          const wanted = { run: 'turn', verify: 'verify', review: 'review', land: 'landing', wait: 'control' }[step.do]
          let input = stream.next().value
          while (input.of !== wanted || ('end' in input && input.end === 'empty')) input = stream.next().value
          if (input.of === 'verify') passed = input.passed
          const next = reduce(work, input)
          work = next.work
          step = next.step
        }
      }),
    )
  })

  it('begins with the runner and no feedback', () => {
    expect(firstStep).toEqual({ do: 'run', iteration: 1 })
  })
})
