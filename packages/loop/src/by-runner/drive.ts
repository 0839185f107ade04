// Takes a work from step to step, and calls its agent. What comes next is decided in reduce.ts, what is done for it by
// who calls this.
import { redactTexts } from '../state/redact-event.ts'
import { reduce } from '../state/reduce.ts'
import type { End, WorkInput, WorkStep } from '../state/work-schema.ts'
import { advance, type Mover } from '../work/advance.ts'
import type { Place } from '../work/place.ts'
import type { RunCore, Turns } from './run-state.ts'

/** A turn of the agent. */
export type Turn = Extract<WorkStep, { do: 'run' }>

/** `interruption` says why the work cannot go on, when something outside of it ended it. */
export type Drive = {
  issue: string
  place: Place
  from: WorkStep
  /** How often the agent may be called. */
  callsMax: number
  /** Whether it stays while it is paused. */
  waits: boolean
  /** Calls the agent. Undefined when that was interrupted while it was limited. */
  call: (turn: Turn, stop: AbortSignal) => Promise<WorkInput | undefined>
  /** Ends what is being done for the work. */
  stop: AbortSignal
  interruption: () => End | undefined
}

type Driving = Pick<RunCore, 'redact' | 'journal' | 'draining' | 'controls'>

/** Goes on until the work ends, or until the agent would have to be called once more than it may. */
export async function drive(run: Driving, turns: Turns, options: Drive): Promise<WorkStep> {
  const { callsMax, call, interruption } = options
  const { controls, draining } = run
  const stop = AbortSignal.any([options.stop, controls.cancelled])
  const mover = moverOf(run, turns, options, stop)
  let calls = 0
  for (;;) {
    const at = await advance(mover)
    if (at === undefined) throw new Error('bug: another process moves the work of this one')
    if (at.do === 'end') return at
    if (at.do === 'wait') {
      if (controls.isPaused() && !options.waits) return at
      await controls.untilResumed(AbortSignal.any([stop, draining]))
      if (controls.cancelled.aborted) continue
      if (controls.isPaused()) return interruption() ?? ended('failed', 'the run ended while it was paused')
      await mover.record({ of: 'control', command: 'resume', reason: 'resumed' })
    } else if (controls.isPaused()) {
      await mover.record({ of: 'control', command: 'pause', reason: 'paused' })
    } else {
      if (calls === callsMax) return at
      calls += 1
      const input = await call(at, stop)
      if (input === undefined) return interruption() ?? ended('failed', 'the run ended while its agent was limited')
      await mover.decide(input)
    }
  }
}

/** Moves a work that no other process moves; `record` takes down what has happened, and what is next. */
function moverOf(
  { redact, journal, controls }: Driving,
  turns: Turns,
  { issue, place, from, interruption }: Drive,
  stop: AbortSignal,
): Mover & { record(happened: WorkInput): Promise<void> } {
  let step = from
  const record = async (happened: WorkInput) => {
    const input = redactTexts(happened, redact)
    const next = reduce(turns.work, input)
    turns.work = next.work
    step = next.step
    await journal.tell({ event: 'decided', issue, worker: turns.worker, input, step })
  }
  return {
    record,
    async next() {
      if (step.do === 'end') return step
      await controls.poll()
      const cut = interruption()
      if (cut !== undefined) return cut
      if (controls.cancelled.aborted)
        await record({ of: 'control', command: 'cancel', reason: String(controls.cancelled.reason) })
      return step
    },
    perform: (gate) => place.perform(gate, stop),
    async decide(input) {
      // What has landed is done, also when it was to be stopped.
      const landed = input.of === 'landing' && input.end === 'landed'
      if (landed || !stop.aborted) await record(input)
      return true
    },
  }
}

const ended = (outcome: End['outcome'], reason: string): End => ({ do: 'end', outcome, reason })
