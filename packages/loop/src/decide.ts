// What comes next for an issue: a pure function of where it is and how the last step ended.

/** How an issue ended in this run. */
type Outcome = 'landed' | 'already-done' | 'gave-up' | 'parked' | 'failed' | 'skipped'

/** What the runner says of its own work; whether it is true is for the verify command. */
export type Verdict = 'done' | 'nothing' | 'failed' | 'timeout'

/** `feedback` is what the next iteration is told about the last one. */
export type Progress = { iteration: number; max: number }

/** How a step ended. `changed`: the worktree holds something that the base does not. */
export type StepResult =
  | { of: 'runner'; verdict: Verdict; changed: boolean; output: string }
  | { of: 'verify'; passed: boolean; changed: boolean; output: string }
  | { of: 'landing'; end: 'landed'; sha: string }
  | { of: 'landing'; end: 'empty' }
  | { of: 'landing'; end: 'conflict'; files: readonly string[] }
  | { of: 'landing'; end: 'unverified'; output: string }
  | { of: 'landing'; end: 'parked'; reason: string }
  | { of: 'landing'; end: 'claim-lost'; reason: string }

export type Step =
  | { do: 'run'; iteration: number; feedback: string | undefined }
  | { do: 'verify' }
  | { do: 'land' }
  | { do: 'end'; outcome: Outcome; reason?: string; commit?: string }

/** The first step of an issue. */
export const firstStep: Step = { do: 'run', iteration: 1, feedback: undefined }

/** The step after one that ended with `result`. */
export function decide(progress: Progress, result: StepResult): Step {
  if (result.of === 'runner') return afterRunner(progress, result)
  if (result.of === 'verify') return afterVerify(progress, result)
  return afterLanding(progress, result)
}

function afterRunner(progress: Progress, result: Extract<StepResult, { of: 'runner' }>): Step {
  switch (result.verdict) {
    case 'failed':
      return again(progress, `The runner failed. The end of its output:\n${result.output}`)
    case 'timeout':
      return again(progress, `The runner did not end in time and was stopped. The end of its output:\n${result.output}`)
    case 'done':
      if (!result.changed) return again(progress, 'You said that it is done, but nothing changed in the worktree.')
      return { do: 'verify' }
    case 'nothing':
      return { do: 'verify' }
  }
}

function afterVerify(progress: Progress, result: Extract<StepResult, { of: 'verify' }>): Step {
  if (!result.passed) return again(progress, verifyFeedback(result.output))
  return result.changed ? { do: 'land' } : { do: 'end', outcome: 'already-done' }
}

function afterLanding(progress: Progress, result: Extract<StepResult, { of: 'landing' }>): Step {
  switch (result.end) {
    case 'landed':
      return { do: 'end', outcome: 'landed', commit: result.sha }
    case 'empty':
      return { do: 'verify' }
    case 'conflict':
      return again(
        progress,
        `Your change was sound but conflicts with what has landed since in ${result.files.join(', ') || 'the same files'}. ` +
          'The worktree is at the new base now, without your change: make it again.',
      )
    case 'unverified':
      return again(progress, `On top of what has landed since, ${verifyFeedback(result.output)}`)
    case 'parked':
      return { do: 'end', outcome: 'parked', reason: result.reason }
    case 'claim-lost':
      return { do: 'end', outcome: 'skipped', reason: result.reason }
  }
}

const verifyFeedback = (output: string) => `the verify command failed. The end of its output:\n${output}`

function again({ iteration, max }: Progress, feedback: string): Step {
  if (iteration >= max) return { do: 'end', outcome: 'gave-up', reason: feedback }
  return { do: 'run', iteration: iteration + 1, feedback }
}
