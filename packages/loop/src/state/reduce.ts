// What comes next for a work: a pure function of its state and of what happened. Hooks and runners share it, and
// `loop trace --replay` folds a recorded run with it again.
import {
  alike,
  conflictTold,
  noSignal,
  nothingChanged,
  nudge,
  saidBehind,
  sameAgain,
  stillReviewed,
  type Told,
  uncommittedTold,
} from './told.ts'
import type { End, Limits, Rules, WorkInput, WorkStep } from './work-schema.ts'

/** A task, or an issue of a run, on its way. */
export type Work = {
  readonly rules: Rules
  readonly limits: Limits
  readonly iteration: number
  readonly spent: { readonly tokens: number; readonly cost_usd: number }
  /** How often one gate failed in a row, and how. */
  readonly failure: { readonly text: string; readonly times: number } | undefined
  /** So many turns in a row left the same tree. */
  readonly still: { readonly left: string; readonly times: number } | undefined
  readonly conflicts: number
  /** What was told of the last conflict, as long as the change was not made again. */
  readonly conflict: string | undefined
  /** Reviews that asked for changes, and what the last of them looked at. */
  readonly rounds: number
  readonly reviewed: string | undefined
  readonly paused: boolean
  readonly end: Extract<WorkStep, { do: 'end' }> | undefined
}

type Next = { readonly work: Work; readonly step: WorkStep }
type Input<Of extends WorkInput['of']> = Extract<WorkInput, { of: Of }>

const sameFailuresMax = 3
const stillTurnsToNudge = 3
const stillTurnsMax = 4
const conflictsMax = 2
const reviewRoundsMax = 3

/** A work at its first iteration. */
export function beginWork(rules: Rules, limits: Limits): Work {
  const nothing = { failure: undefined, still: undefined, conflict: undefined, reviewed: undefined, end: undefined }
  return {
    rules,
    limits,
    iteration: 1,
    spent: { tokens: 0, cost_usd: 0 },
    conflicts: 0,
    rounds: 0,
    paused: false,
    ...nothing,
  }
}

/** The first step of every work. */
export const firstStep: WorkStep = { do: 'run', iteration: 1 }

/** The state and the step after one more input. A work that is over stays as it ended. */
export function reduce(work: Work, input: WorkInput): Next {
  if (work.end !== undefined) return { work, step: work.end }
  if (input.of === 'control') return afterControl(work, input)
  if (work.paused) return { work, step: { do: 'wait' } }
  switch (input.of) {
    case 'turn':
      return afterTurn(counted(work, input), input)
    case 'verify':
      return afterVerify(work, input)
    case 'review':
      return afterReview(work, input)
    case 'landing':
      return afterLanding(work, input)
  }
}

function afterControl(work: Work, { command, reason }: Input<'control'>): Next {
  switch (command) {
    case 'cancel':
      return over(work, { outcome: 'cancelled', reason })
    case 'pause':
      return { work: { ...work, paused: true }, step: { do: 'wait' } }
    case 'resume':
      return { work: { ...work, paused: false }, step: { do: 'run', iteration: work.iteration } }
  }
}

function counted(work: Work, { left, tokens = 0, cost_usd = 0 }: Input<'turn'>): Work {
  const { spent, still } = work
  const times = left !== null && left === still?.left ? still.times + 1 : 1
  return {
    ...work,
    spent: { tokens: spent.tokens + tokens, cost_usd: spent.cost_usd + cost_usd },
    still: left === null ? undefined : { left, times },
  }
}

function afterTurn(work: Work, input: Input<'turn'>): Next {
  const { said, why, unknown, changed, at, output, uncommitted = [] } = input
  if (uncommitted.length > 0 && (said === 'done' || said === 'nothing')) {
    return failed(work, uncommittedTold(uncommitted))
  }
  switch (said) {
    case 'stuck':
      return over(work, { outcome: 'stuck', reason: saidBehind('the agent says that it is stuck', why, output) })
    case 'limit':
      return over(work, {
        outcome: 'gave-up',
        reason: saidBehind('the agent says that its limit is reached', why, output),
      })
    case 'failed':
    case 'timeout':
      return again(work, unknown === undefined ? alike(output) : alike(`${output}\n\n${noSignal(unknown)}`), at)
    case 'quiet':
      return again(work, unknown === undefined ? undefined : alike(noSignal(unknown)), at)
    case 'done':
      if (work.rules.lands && !changed) return again(work, nothingChanged, at)
      return gates(work, changed, 'turn')
    case 'nothing':
      return gates(work, changed, 'turn')
  }
}

/** The next gate behind `passed`, or the end behind the last one. */
function gates(work: Work, changed: boolean, passed: 'turn' | 'verify' | 'review'): Next {
  const { verifies, reviews, lands } = work.rules
  if (passed === 'turn' && verifies) return { work, step: { do: 'verify' } }
  if (lands && !changed) return over(work, { outcome: 'already-done' })
  if (passed !== 'review' && reviews) return { work, step: { do: 'review' } }
  return lands ? { work, step: { do: 'land' } } : over(work, { outcome: 'complete' })
}

/** A failure closes the gate with what it says; its first line says the most. */
function afterVerify(work: Work, { passed, changed, cut, output }: Input<'verify'>): Next {
  if (passed) return gates({ ...work, failure: undefined }, changed, 'verify')
  // An agent that waits for a long check leaves everything as it was, and is right.
  return cut ? again({ ...work, still: undefined }, alike(output)) : failed(work, alike(output))
}

function afterReview(work: Work, { verdict, seen, output }: Input<'review'>): Next {
  switch (verdict) {
    case 'approved':
      return gates(work, true, 'review')
    case 'changes': {
      const told = alike(`The review asks for changes: ${output}`)
      if (seen !== undefined && seen === work.reviewed) return failed(work, stillReviewed(told))
      const now = { ...work, rounds: work.rounds + 1, reviewed: seen }
      if (now.rounds < reviewRoundsMax) return again(now, told)
      return over(now, { outcome: 'stuck', reason: `${now.rounds} reviews asked for changes, the last one: ${output}` })
    }
    case 'missing':
      return failed(work, alike(`There is no review of this commit yet. ${output}`))
    case 'outdated':
      return failed(work, alike(`The review is of another commit than the one that is there now. ${output}`))
  }
}

function afterLanding(work: Work, input: Input<'landing'>): Next {
  const made = { ...work, conflict: undefined }
  switch (input.end) {
    case 'empty':
      return gates(made, false, work.rules.verifies ? 'turn' : 'verify')
    case 'conflict':
      return afterConflict(work, input)
    case 'unverified':
      // An agent that waits for it leaves everything as it was, and is right.
      if (input.cut) return again({ ...made, still: undefined }, alike(input.output))
      return failed(made, alike(`On top of what has landed since, ${input.output}`))
    case 'unreviewed':
      return failed(made, alike(`On top of what has landed since, the change is not the reviewed one. ${input.output}`))
    default:
      return over(work, endOf(input))
  }
}

/** How a change ends that somebody lands by hand: nobody is there to make it again. */
export function endByHand(landing: Input<'landing'>): End {
  switch (landing.end) {
    case 'empty':
      return { do: 'end', outcome: 'already-done' }
    case 'conflict':
      return { do: 'end', outcome: 'parked', reason: `conflicts in ${landing.files.join(', ')}\n${landing.output}` }
    case 'unverified':
      return { do: 'end', outcome: 'failed', reason: landing.output }
    case 'unreviewed':
      return { do: 'end', outcome: 'failed', reason: `there is no approving review of it\n${landing.output}` }
    default:
      return { do: 'end', ...endOf(landing) }
  }
}

type Final = Exclude<Input<'landing'>, { end: 'empty' | 'conflict' | 'unverified' | 'unreviewed' }>

/** What a landing comes to that ends the work, whoever asked for it. */
function endOf(landing: Final): Omit<End, 'do'> {
  switch (landing.end) {
    case 'landed':
      return { outcome: 'landed', commit: landing.sha }
    case 'claim-lost':
      return { outcome: 'skipped', reason: landing.reason }
    default:
      return { outcome: landing.end, reason: landing.reason }
  }
}

function afterConflict(work: Work, { files, salvage, output }: Extract<WorkInput, { end: 'conflict' }>): Next {
  const conflicts = work.conflicts + 1
  const where = files.join(', ') || 'the same files'
  const parked = `it conflicted ${conflicts} times with what has landed, in ${where}`
  if (conflicts > conflictsMax) return over(work, { outcome: 'parked', reason: parked })
  const told = conflictTold({ where, salvage, output })
  return again({ ...work, conflicts, conflict: undefined }, told, undefined, told.toAgent)
}

/** A gate that is closed in the same way for the third time will not open. */
function failed(work: Work, told: Told): Next {
  const text = withoutTimes(told.toPeople)
  const times = work.failure?.text === text ? work.failure.times + 1 : 1
  const now = { ...work, failure: { text, times } }
  if (times >= sameFailuresMax && times < work.limits.iterations) {
    return over(now, { outcome: 'stuck', reason: `${times} times the same: ${told.toPeople}` })
  }
  return again(now, times < 2 ? told : { ...told, toAgent: `${told.toAgent}\n\n${sameAgain(times)}` })
}

/** Durations, times of day and addresses differ from run to run, and mean nothing. */
function withoutTimes(text: string): string {
  return text.replace(/\d+(?:\.\d+)?\s?m?s\b|\d\d:\d\d(?::\d\d)?(?:\.\d+)?|0x[0-9a-f]+/gi, '')
}

/** The next iteration, unless a limit is reached. A change that a conflict took away is told until it is made again. */
function again(work: Work, told: Told | undefined, at?: number, conflict = work.conflict): Next {
  const spent = spentUp(work, at)
  const reason = told === undefined ? {} : { reason: told.toPeople }
  if (spent !== undefined)
    return over(work, { outcome: 'gave-up', ...reason, ...(spent === '' ? {} : { reason: spent }) })
  const still = work.still?.times ?? 0
  if (still >= stillTurnsMax) {
    return over(work, { outcome: 'stuck', reason: told?.toPeople ?? `${still} turns left everything as it was` })
  }
  const next = { ...work, iteration: work.iteration + 1, conflict }
  const all = [still < stillTurnsToNudge ? undefined : nudge, told?.toAgent, work.conflict]
  const feedback = all.filter((text) => text !== undefined).join('\n\n')
  return { work: next, step: { do: 'run', iteration: next.iteration, ...(feedback === '' ? {} : { feedback }) } }
}

/** The limit that is reached; the empty word for that of iterations, whose end says why the last one failed. */
function spentUp({ limits, spent, iteration }: Work, at: number | undefined): string | undefined {
  if (limits.tokens !== undefined && spent.tokens >= limits.tokens) return `its ${limits.tokens} tokens are spent`
  if (limits.cost_usd !== undefined && spent.cost_usd >= limits.cost_usd) return `its ${limits.cost_usd} USD are spent`
  if (limits.until !== undefined && at !== undefined && at >= limits.until) return 'its time is over'
  return iteration >= limits.iterations ? '' : undefined
}

function over(work: Work, end: Omit<Extract<WorkStep, { do: 'end' }>, 'do'>): Next {
  const step = { do: 'end' as const, ...end }
  return { work: { ...work, end: step }, step }
}
