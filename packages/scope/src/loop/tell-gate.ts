// A gate as agents are told of it.
import type { GateRun } from './run-gates.ts'

const outputCharsMax = 4000

/** How it ended, in words. */
export function endOfGate({ passed, timed_out, signal, exit_code, duration_ms }: GateRun): string {
  if (passed) return 'passed'
  if (timed_out) return `failed: it was ended after ${duration_ms} ms`
  return signal === null ? `failed with exit code ${exit_code}` : `failed by signal ${signal}`
}

/** The end of what it printed, where most programs say what is wrong. */
export function lastOutput({ output }: GateRun): string {
  const text = output.trimEnd()
  return text.length > outputCharsMax ? `[…]\n${text.slice(-outputCharsMax)}` : text
}
