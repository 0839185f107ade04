// What comes after one call of an agent for one chunk: values in, values out, so that each way through is a line of a
// test.
import type { Answer } from './read-answer.ts'

/** What a call came to. `low` is an answer whose quotes are not there, or that is empty where rules found something. */
export type Outcome =
  | { readonly kind: 'good'; readonly answer: Answer }
  | { readonly kind: 'low'; readonly answer: Answer; readonly why: string }
  | { readonly kind: 'invalid'; readonly fault: string; readonly answer?: Answer }
  | { readonly kind: 'more'; readonly why: string; readonly answer?: Answer }
  | { readonly kind: 'unable'; readonly why: string }
  | { readonly kind: 'timeout'; readonly why: string }
  | { readonly kind: 'crash'; readonly why: string }
  | { readonly kind: 'rate'; readonly why: string; readonly waitMs: number | undefined }

/** How far the work on a chunk has come. */
export type Progress = {
  readonly calls: number
  readonly failures: number
  readonly refusals: number
  readonly isCorrected: boolean
  readonly hasMore: boolean
  readonly isEscalated: boolean
}

export const atStart: Progress = {
  calls: 0,
  failures: 0,
  refusals: 0,
  isCorrected: false,
  hasMore: false,
  isEscalated: false,
}

export type Limits = {
  readonly retries: number
  readonly backoffMs: number
  /** Whether a stronger agent may be asked now. */
  readonly mayEscalate: boolean
}

export type ChunkError = {
  readonly code: 'DS-104' | 'DS-204' | 'DS-205' | 'DS-503' | 'DS-504'
  readonly message: string
}

export type Step =
  | {
      readonly do: 'finish'
      readonly status: 'completed' | 'partial' | 'failed'
      readonly answer?: Answer
      readonly error: ChunkError | null
    }
  | { readonly do: 'again'; readonly waitMs: number; readonly why: string; readonly fault?: string }
  | { readonly do: 'escalate'; readonly why: string }
  | { readonly do: 'pause'; readonly waitMs: number; readonly why: string }

const refusalsMax = 8
const backoffMsMax = 300_000
const pauseMsMax = 6 * 3_600_000
const exponentMax = 30

/** The next step, and how far the work has come with it. `random` is between 0 and 1. */
export function nextStep(
  progress: Progress,
  outcome: Outcome,
  limits: Limits,
  random: number,
): { step: Step; progress: Progress } {
  const called = { ...progress, calls: progress.calls + 1 }
  switch (outcome.kind) {
    case 'good':
      return { step: finishWith(outcome.answer, null), progress: called }
    case 'low':
      return escalated(called, limits, outcome.why) ?? { step: finishWith(outcome.answer, null), progress: called }
    case 'unable':
      return escalated(called, limits, outcome.why) ?? failed(called, 'DS-205', `the agent is unable: ${outcome.why}`)
    case 'invalid':
      return afterInvalid(called, outcome)
    case 'more':
      return afterMore(called, outcome)
    case 'rate':
      return afterRefusal(called, outcome, limits, random)
    default:
      return afterFailure(called, outcome, limits, random)
  }
}

type Next = { step: Step; progress: Progress }

function finishWith(answer: Answer, error: ChunkError | null): Step {
  const { status } = answer
  const said =
    status === 'failed' && error === null
      ? { code: 'DS-205' as const, message: 'the agent says that it failed' }
      : error
  const isShort = error !== null && status === 'completed'
  return { do: 'finish', status: isShort ? 'partial' : status, answer, error: said }
}

function failed(progress: Progress, code: ChunkError['code'], message: string): Next {
  return { step: { do: 'finish', status: 'failed', error: { code, message } }, progress }
}

function escalated(progress: Progress, { mayEscalate }: Limits, why: string): Next | undefined {
  if (!mayEscalate || progress.isEscalated) return undefined
  return { step: { do: 'escalate', why }, progress: { ...progress, isEscalated: true, isCorrected: false } }
}

/** Asked once more with what was wrong; then what can be used of the answer is kept. */
function afterInvalid(progress: Progress, { fault, answer }: Extract<Outcome, { kind: 'invalid' }>): Next {
  if (!progress.isCorrected) {
    return { step: { do: 'again', waitMs: 0, why: fault, fault }, progress: { ...progress, isCorrected: true } }
  }
  if (answer === undefined) return failed(progress, 'DS-104', fault)
  return { step: finishWith(answer, { code: 'DS-204', message: fault }), progress }
}

function afterMore(progress: Progress, { why, answer }: Extract<Outcome, { kind: 'more' }>): Next {
  if (!progress.hasMore)
    return { step: { do: 'again', waitMs: 0, why: `needs more: ${why}` }, progress: { ...progress, hasMore: true } }
  const given = answer ?? { status: 'partial', findings: [], missing: [], partial: null }
  const kept: Answer = { ...given, status: 'partial', missing: [...given.missing, why] }
  return { step: finishWith(kept, null), progress }
}

function afterRefusal(
  progress: Progress,
  { why, waitMs }: Extract<Outcome, { kind: 'rate' }>,
  limits: Limits,
  random: number,
): Next {
  const refusals = progress.refusals + 1
  if (refusals > refusalsMax) return failed(progress, 'DS-504', why)
  const wait = Math.min(waitMs ?? backoff(limits.backoffMs, refusals, random), pauseMsMax)
  return { step: { do: 'pause', waitMs: wait, why }, progress: { ...progress, refusals } }
}

function afterFailure(
  progress: Progress,
  { kind, why }: Extract<Outcome, { kind: 'timeout' | 'crash' }>,
  limits: Limits,
  random: number,
): Next {
  const failures = progress.failures + 1
  if (failures > limits.retries) return failed(progress, kind === 'timeout' ? 'DS-503' : 'DS-205', why)
  return {
    step: { do: 'again', waitMs: backoff(limits.backoffMs, failures, random), why },
    progress: { ...progress, failures },
  }
}

/** Doubled each time, and up to half of it more or less, so that workers do not come back together. */
function backoff(baseMs: number, times: number, random: number): number {
  return Math.round(Math.min(baseMs * 2 ** Math.min(times - 1, exponentMax), backoffMsMax) * (0.5 + random))
}
