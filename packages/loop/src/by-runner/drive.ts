// Takes a work from step to step, and calls its agent. What comes next is decided in reduce.ts, what is done for it by
// who calls this.
import { redactTexts } from '../state/redact-event.ts'
import { reduce } from '../state/reduce.ts'
import type { End, WorkInput, WorkStep } from '../state/work-schema.ts'
import { advance, type Gate, type Mover } from '../work/advance.ts'
import type { RunCore, Turns } from './run-state.ts'

/** A turn of the agent. */
export type Turn = Extract<WorkStep, { do: 'run' }>

/** `interruption` says why the work cannot go on, when something outside of it ended it. */
export type Drive = {
  issue: string
  from: WorkStep
  /** How often the agent may be called. */
  callsMax: number
  /** Whether it stays while it is paused. */
  waits: boolean
  /** Calls the agent. Undefined when that was interrupted while it was limited. */
  call: (turn: Turn, stop: AbortSignal) => Promise<WorkInput | undefined>
  perform: (gate: Gate, stop: AbortSignal) => Promise<WorkInput>
  /** Ends what is being done for the work. */
  stop: AbortSignal
  interruption: () => End | undefined
}

type Driving = Pick<RunCore, 'redact' | 'journal' | 'draining' | 'controls'>

/** Goes on until the work ends, or until the agent would have to be called once more than it may. */
export async function drive(run: Driving, turns: Turns, options: Drive): Promise<WorkStep> {
  const { issue, callsMax, perform, call, interruption } = options
  const { controls } = run
  const stop = AbortSignal.any([options.stop, controls.cancelled])
  let step = options.from
  const decide = async (happened: WorkInput) => {
    step = await decideOn(run, turns, issue, happened)
  }
  const mover: Mover = {
    async next() {
      if (step.do === 'end') return step
      await controls.poll()
      const cut = interruption()
      if (cut !== undefined) return cut
      if (controls.cancelled.aborted)
        await decide({ of: 'control', command: 'cancel', reason: String(controls.cancelled.reason) })
      return step
    },
    perform: (gate) => perform(gate, stop),
    async decide(input) {
      // What has landed is done, also when it was to be stopped.
      const landed = input.of === 'landing' && input.end === 'landed'
      if (landed || !stop.aborted) await decide(input)
      return true
    },
  }
  let calls = 0
  for (;;) {
    const at = await advance(mover)
    if (at === undefined || at.do === 'end') return at ?? step
    if (at.do === 'wait') {
      if (controls.isPaused() && !options.waits) return at
      await controls.untilResumed(AbortSignal.any([stop, run.draining]))
      if (controls.cancelled.aborted) continue
      if (controls.isPaused()) return interruption() ?? ended('failed', 'the run ended while it was paused')
      await decide({ of: 'control', command: 'resume', reason: 'resumed' })
    } else if (controls.isPaused()) {
      await decide({ of: 'control', command: 'pause', reason: 'paused' })
    } else {
      if (calls === callsMax) return at
      calls += 1
      const input = await call(at, stop)
      if (input === undefined) return interruption() ?? ended('failed', 'the run ended while its agent was limited')
      await mover.decide(input)
    }
  }
}

/** Records what has happened and what is next, and gives that. */
async function decideOn(run: Driving, turns: Turns, issue: string, happened: WorkInput): Promise<WorkStep> {
  const input = redactTexts(happened, run.redact)
  const { work, step } = reduce(turns.work, input)
  turns.work = work
  await run.journal.tell({ event: 'decided', issue, worker: turns.worker, input, step })
  return step
}

const ended = (outcome: End['outcome'], reason: string): End => ({ do: 'end', outcome, reason })
