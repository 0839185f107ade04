// How much the guard thinks about one call: a number of steps, which is the same on every machine, and a clock behind
// it for one that is slow.
import { Failure } from '@switchyard/ground/failure'

/** Counts steps. Throws when none are left. */
export type Spend = (steps?: number) => void

/** A step is some microseconds: a word, a sign of a pattern. A look at the disk is ten. */
const stepsMax = 1_000_000
const msMax = 2000
const betweenLooks = 2000

/** What one judgement may take. `clock` counts milliseconds. */
export function openBudget(clock: () => number, steps = stepsMax): Spend {
  const began = clock()
  let left = steps
  let look = steps - betweenLooks
  return (taken = 1) => {
    left -= taken
    if (left < 0) throw tooMuch(`it takes more than ${steps} steps to read`)
    if (left > look) return
    look = left - betweenLooks
    if (clock() - began > msMax) throw tooMuch(`it takes more than ${msMax} ms to read`)
  }
}

/** Why a call cannot be judged: it is too large. */
export const tooMuch = (what: string) => new Failure('limit', what)
