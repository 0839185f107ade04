// The verify command: everybody who asks whether work is good starts it here, and hears how it ended.
import { failureText } from '../text/failure-text.ts'
import type { ChildOptions } from './children.ts'
import type { RunWork, WorkPlace } from './run-work.ts'

/** How it ended. `output` says why it did not pass; it is empty when it did. */
export type Verified = {
  readonly passed: boolean
  /** Null when a signal ended it. */
  readonly exitCode: number | null
  readonly timedOut: boolean
  /** Somebody wanted it ended: it says nothing of the work. */
  readonly aborted: boolean
  readonly durationMs: number
  readonly output: string
}

/** Where it runs, for how long, and what it finds in its environment beside what all children find there. */
type Where = Pick<ChildOptions, 'cwd' | 'env' | 'timeoutMs' | 'signal' | 'onOutput'> & Pick<WorkPlace, 'at'>

/**
 * Runs the line of shell `verify`, which passes when it exits 0. `start` is how a run starts what its agent has made,
 * or how a verb starts its children: then nothing confines it.
 */
export async function runVerify(start: RunWork, verify: string, where: Where): Promise<Verified> {
  const { timeoutMs, signal } = where
  const ended = await start({ shell: verify }, { ...where, onOrphan: 'end', verifies: true })
  const { exitCode, timedOut, durationMs, output } = ended
  const aborted = ended.aborted || signal?.aborted === true
  const passed = exitCode === 0 && !timedOut && !aborted
  const timedOutMs = timedOut ? timeoutMs : undefined
  const failed = { what: 'the verify command', command: verify, exitCode, timedOutMs, output }
  return { passed, exitCode, timedOut, aborted, durationMs, output: passed ? '' : failureText(failed) }
}
