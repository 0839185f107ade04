import { describe, expect, it } from 'vitest'
import { openLedger, usageOf } from '../src/map/ledger.ts'
import { atStart, nextStep, type Outcome } from '../src/map/next-step.ts'
import { runPool } from '../src/map/pool.ts'
import { lowQuality } from '../src/map/quality.ts'
import type { Answer } from '../src/map/read-answer.ts'

const answer: Answer = { status: 'completed', findings: [], missing: [], partial: null }
const limits = { retries: 2, backoffMs: 100, mayEscalate: true }

/** The steps that outcomes lead to, one after the other. */
function stepsOf(outcomes: readonly Outcome[], given: Partial<typeof limits> = {}): unknown[] {
  let progress = atStart
  return outcomes.map((outcome) => {
    const next = nextStep(progress, outcome, { ...limits, ...given }, 0.5)
    progress = next.progress
    return next.step
  })
}

describe('the next step of a chunk', () => {
  const crash: Outcome = { kind: 'crash', why: 'exit 1' }
  const timeout: Outcome = { kind: 'timeout', why: 'late' }
  const invalid: Outcome = { kind: 'invalid', fault: 'no JSON' }
  const low: Outcome = { kind: 'low', answer, why: 'empty' }
  const more: Outcome = { kind: 'more', why: 'callers' }

  it('is another try, later each time, until the retries are used up', () => {
    expect(stepsOf([crash, timeout, crash])).toEqual([
      { do: 'again', waitMs: 100, why: 'exit 1' },
      { do: 'again', waitMs: 200, why: 'late' },
      { do: 'finish', status: 'failed', error: { code: 'DS-205', message: 'exit 1' } },
    ])
    expect(stepsOf([timeout], { retries: 0 })).toEqual([
      { do: 'finish', status: 'failed', error: { code: 'DS-503', message: 'late' } },
    ])
  })

  it('is one correction for an answer that cannot be used, then its end', () => {
    const half: Outcome = { kind: 'invalid', fault: 'line: bad', answer }
    expect(stepsOf([invalid, invalid])).toEqual([
      { do: 'again', waitMs: 0, why: 'no JSON', fault: 'no JSON' },
      { do: 'finish', status: 'failed', error: { code: 'DS-104', message: 'no JSON' } },
    ])
    expect(stepsOf([invalid, half])[1]).toEqual({
      ...{ do: 'finish', status: 'partial', answer },
      error: { code: 'DS-204', message: 'line: bad' },
    })
  })

  it('is a stronger agent once, where the answer is poor or the agent unable', () => {
    expect(stepsOf([low, low])).toEqual([
      { do: 'escalate', why: 'empty' },
      { do: 'finish', status: 'completed', answer, error: null },
    ])
    expect(stepsOf([low], { mayEscalate: false })).toEqual([{ do: 'finish', status: 'completed', answer, error: null }])
    expect(stepsOf([{ kind: 'unable', why: 'hard' }], { mayEscalate: false })).toEqual([
      { do: 'finish', status: 'failed', error: { code: 'DS-205', message: 'the agent is unable: hard' } },
    ])
  })

  it('is the code around it once, where the agent asks for it', () => {
    expect(stepsOf([more, more])).toEqual([
      { do: 'again', waitMs: 0, why: 'needs more: callers' },
      { do: 'finish', status: 'partial', answer: { ...answer, status: 'partial', missing: ['callers'] }, error: null },
    ])
  })

  it('is a pause of all where the agent is asked too often, as long as it says', () => {
    const refused = (waitMs?: number): Outcome => ({ kind: 'rate', why: '429', waitMs })
    expect(stepsOf([refused(), refused(), refused(7)])).toEqual([
      { do: 'pause', waitMs: 100, why: '429' },
      { do: 'pause', waitMs: 200, why: '429' },
      { do: 'pause', waitMs: 7, why: '429' },
    ])
    expect(stepsOf(Array(9).fill(refused(1))).at(-1)).toEqual({
      ...{ do: 'finish', status: 'failed' },
      error: { code: 'DS-504', message: '429' },
    })
  })
})

describe('the pool', () => {
  const draining = () => new AbortController()
  const settings = { jobs: 4, now: () => performance.now() }

  it('works every item once, by so many at a time', async () => {
    const seen: number[] = []
    let [busy, most] = [0, 0]
    await runPool([...Array(20).keys()], {
      ...settings,
      draining: draining().signal,
      work: async (item) => {
        busy += 1
        most = Math.max(most, busy)
        await new Promise(setImmediate)
        seen.push(item)
        busy -= 1
        return 'done'
      },
    })
    expect(seen.toSorted((a, b) => a - b)).toEqual([...Array(20).keys()])
    expect(most).toBe(4)
  })

  it('goes on with one worker after two batches in a row that failed for the most part', async () => {
    const workers: number[] = []
    let alone = 0
    await runPool([...Array(16).keys()], {
      ...settings,
      draining: draining().signal,
      onAlone: () => (alone += 1),
      work: async (item, worker) => {
        workers.push(worker)
        await new Promise(setImmediate)
        return item % 4 === 0 ? 'done' : 'failed'
      },
    })
    expect(alone).toBe(1)
    expect(workers).toHaveLength(16)
    expect(new Set(workers.slice(12))).toEqual(new Set([0]))
  })

  it('begins nothing more once it drains, and throws what a worker throws', async () => {
    const drain = draining()
    let begun = 0
    const work = async () => {
      begun += 1
      drain.abort()
      return 'done' as const
    }
    await runPool([...Array(20).keys()], { ...settings, jobs: 1, draining: drain.signal, work })
    expect(begun).toBe(1)
    const failing = { ...settings, draining: draining().signal, work: () => Promise.reject(new Error('gone')) }
    await expect(runPool([1, 2, 3], failing)).rejects.toThrow('gone')
  })
})

describe('what agents use', () => {
  it('is bounded in dollars and tokens, and so is the share of a stronger one', () => {
    const ledger = openLedger({ usd: 1, tokens: 1000, escalateRatio: 0.15 })
    expect(ledger.over()).toBeUndefined()
    expect(ledger.mayEscalate(20)).toBe(true)
    for (let time = 0; time < 3; time++) ledger.escalate()
    expect(ledger.mayEscalate(20)).toBe(false)
    ledger.add({ input_tokens: 900, output_tokens: 99, cost_usd: null })
    expect(ledger.over()).toBeUndefined()
    ledger.add({ input_tokens: 1, output_tokens: null, cost_usd: 1 })
    expect(ledger.over()).toBe('$1.00 of $1.00 are spent')
    expect(openLedger({ usd: 1, tokens: 0, escalateRatio: 0 }).over()).toBe('0 of 0 tokens are used')
    expect(openLedger({ usd: 1, tokens: undefined, escalateRatio: 0 }).mayEscalate(100)).toBe(false)
  })

  it('is as the agent says, else estimated and priced', () => {
    const estimated = { input: 1_000_000, output: 500_000 }
    expect(usageOf(undefined, estimated, { input: 3, output: 15 }).cost_usd).toBe(10.5)
    expect(usageOf(undefined, estimated, undefined)).toEqual({
      input_tokens: 1_000_000,
      output_tokens: 500_000,
      cost_usd: null,
    })
    expect(usageOf({ input_tokens: 5, output_tokens: null, cost_usd: 0.1 }, estimated, undefined)).toEqual({
      ...{ input_tokens: 5, output_tokens: 500_000, cost_usd: 0.1 },
    })
  })

  it('is measured: quotes that are nowhere, and silence where rules speak', () => {
    const one = {
      title: 'a',
      severity: 'low',
      confidence: 'low',
      path: 'a',
      line: 1,
      quote: 'q',
      message: '',
      verification_required: false,
    } as const
    const two = { ...answer, findings: [one, one] }
    expect(lowQuality(two, { located: 1, ruleHits: 0 })).toBeUndefined()
    expect(lowQuality(two, { located: 0, ruleHits: 0 })).toBe('2 of 2 quotes are not in the code')
    expect(lowQuality(answer, { located: 0, ruleHits: 3 })).toBe('no finding where rules found 3')
    expect(lowQuality(answer, { located: 0, ruleHits: 0 })).toBeUndefined()
  })
})
