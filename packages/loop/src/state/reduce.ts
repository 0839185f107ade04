// What comes next for a work: a pure function of its state and of what happened. Hooks and runners share it, and
// `loop trace --replay` folds a recorded run with it again.
import type { Limits, Rules, WorkInput, WorkStep } from './work-schema.ts'

/** A task, or an issue of a run, on its way. */
export type Work = {
  readonly rules: Rules
  readonly limits: Limits
  readonly iteration: number
  readonly spent: { readonly tokens: number; readonly cost_usd: number }
  /** The same gate failed like this so many times in a row. */
  readonly failure: { readonly text: string; readonly times: number } | undefined
  /** So many turns in a row left the same tree. */
  readonly still: { readonly left: string; readonly times: number } | undefined
  readonly conflicts: number
  /** Reviews that asked for changes. */
  readonly rounds: number
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
  const nothing = { failure: undefined, still: undefined, conflicts: 0, rounds: 0, paused: false, end: undefined }
  return { rules, limits, iteration: 1, spent: { tokens: 0, cost_usd: 0 }, ...nothing }
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

function afterTurn(work: Work, { said, changed, at, output, uncommitted = [] }: Input<'turn'>): Next {
  if (uncommitted.length > 0 && (said === 'done' || said === 'nothing')) {
    return failed(work, uncommittedFeedback(uncommitted))
  }
  switch (said) {
    case 'stuck':
      return over(work, { outcome: 'stuck', reason: `the agent says that it is stuck. ${output}` })
    case 'limit':
      return over(work, { outcome: 'gave-up', reason: `the agent says that its limit is reached. ${output}` })
    case 'failed':
      return again(work, `The runner failed. The end of its output:\n${output}`, at)
    case 'timeout':
      return again(work, `The runner did not end in time and was stopped. The end of its output:\n${output}`, at)
    case 'quiet':
      return again(work, undefined, at)
    case 'done':
      if (work.rules.lands && !changed) {
        return again(work, 'You said that it is done, but nothing changed in the worktree.', at)
      }
      return gates(work, changed, 'turn')
    case 'nothing':
      return gates(work, changed, 'turn')
  }
}

const namedMax = 20

function uncommittedFeedback(files: readonly string[]): string {
  const more = files.length > namedMax ? `, and ${files.length - namedMax} more` : ''
  const names = files.slice(0, namedMax).join(', ')
  return `You said that you are done, but this is not committed: ${names}${more}. Commit what belongs to it, remove the rest.`
}

/** The next gate behind `passed`, or the end behind the last one. */
function gates(work: Work, changed: boolean, passed: 'turn' | 'verify' | 'review'): Next {
  const { verifies, reviews, lands } = work.rules
  if (passed === 'turn' && verifies) return { work, step: { do: 'verify' } }
  if (lands && !changed) return over(work, { outcome: 'already-done' })
  if (passed !== 'review' && reviews) return { work, step: { do: 'review' } }
  return lands ? { work, step: { do: 'land' } } : over(work, { outcome: 'complete' })
}

function afterVerify(work: Work, { passed, changed, cut, output }: Input<'verify'>): Next {
  if (passed) return gates({ ...work, failure: undefined }, changed, 'verify')
  return cut ? again(work, output) : failed(work, verifyFeedback(output))
}

function afterReview(work: Work, { verdict, output }: Input<'review'>): Next {
  switch (verdict) {
    case 'approved':
      return gates(work, true, 'review')
    case 'changes': {
      const rounds = work.rounds + 1
      if (rounds >= reviewRoundsMax) {
        return over(work, { outcome: 'stuck', reason: `${rounds} reviews asked for changes. The last one:\n${output}` })
      }
      return again({ ...work, rounds }, `The review asks for changes:\n${output}`)
    }
    case 'missing':
      return failed(work, `There is no review of this commit yet. ${output}`)
    case 'outdated':
      return failed(work, `The review is of another commit than the one that is there now. ${output}`)
  }
}

function afterLanding(work: Work, input: Input<'landing'>): Next {
  switch (input.end) {
    case 'landed':
      return over(work, { outcome: 'landed', commit: input.sha })
    case 'empty':
      return gates(work, false, work.rules.verifies ? 'turn' : 'verify')
    case 'conflict':
      return afterConflict(work, input)
    case 'unverified':
      return failed(work, `On top of what has landed since, ${verifyFeedback(input.output)}`)
    case 'unreviewed':
      return failed(work, `On top of what has landed since, the change is not the reviewed one. ${input.output}`)
    case 'parked':
    case 'queued':
    case 'proposed':
      return over(work, { outcome: input.end, reason: input.reason })
    case 'claim-lost':
      return over(work, { outcome: 'skipped', reason: input.reason })
  }
}

function afterConflict(work: Work, { files, output }: Extract<WorkInput, { end: 'conflict' }>): Next {
  const conflicts = work.conflicts + 1
  const where = files.join(', ') || 'the same files'
  if (conflicts > conflictsMax) {
    return over(work, {
      outcome: 'parked',
      reason: `it conflicted ${conflicts} times with what has landed, in ${where}`,
    })
  }
  const told =
    `Your change was sound but conflicts with what has landed since in ${where}. ` +
    'The worktree is at the new base now, without your change: make it again.'
  return again({ ...work, conflicts }, output === '' ? told : `${told}\n${output}`)
}

const verifyFeedback = (output: string) => `the verify command failed. The end of its output:\n${output}`

/** A gate that is closed in the same way for the third time will not open. */
function failed(work: Work, feedback: string): Next {
  const text = withoutTimes(feedback)
  const times = work.failure?.text === text ? work.failure.times + 1 : 1
  const now = { ...work, failure: { text, times } }
  if (times < sameFailuresMax || times >= work.limits.iterations) return again(now, feedback)
  return over(now, { outcome: 'stuck', reason: `${times} times the same: ${feedback}` })
}

/** Durations, times of day and addresses differ from run to run, and mean nothing. */
function withoutTimes(text: string): string {
  return text.replace(/\d+(?:\.\d+)?\s?m?s\b|\d\d:\d\d(?::\d\d)?(?:\.\d+)?|0x[0-9a-f]+/gi, '')
}

const nudge =
  'The last turns left everything as it was. Do something else than before: look at the problem from another side, ' +
  'ask for a second opinion, or say that you are stuck.'

function again(work: Work, feedback: string | undefined, at?: number): Next {
  const spent = spentUp(work, at)
  const reason = feedback === undefined ? {} : { reason: feedback }
  if (spent !== undefined)
    return over(work, { outcome: 'gave-up', ...reason, ...(spent === '' ? {} : { reason: spent }) })
  const still = work.still?.times ?? 0
  if (still >= stillTurnsMax) {
    return over(work, { outcome: 'stuck', reason: feedback ?? `${still} turns left everything as it was` })
  }
  const told =
    still < stillTurnsToNudge ? feedback : [nudge, feedback].filter((text) => text !== undefined).join('\n\n')
  const next = { ...work, iteration: work.iteration + 1 }
  return {
    work: next,
    step: { do: 'run', iteration: next.iteration, ...(told === undefined ? {} : { feedback: told }) },
  }
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
