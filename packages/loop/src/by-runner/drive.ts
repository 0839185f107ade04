// Takes a work from step to step. What comes next is decided in reduce.ts, what is done for it by who calls this.
import { redactTexts } from '../state/redact-event.ts'
import { reduce } from '../state/reduce.ts'
import type { End, WorkInput, WorkStep } from '../state/work-schema.ts'
import type { RunCore, Turns } from './run-state.ts'

export type Doing = Exclude<WorkStep, { do: 'end' | 'wait' }>

/** `interruption` says why the work cannot go on, when something outside of it ended it. */
export type Drive = {
  issue: string
  from: WorkStep
  /** How often the agent may be called. */
  callsMax: number
  /** Whether it stays while it is paused. */
  waits: boolean
  perform: (step: Doing, stop: AbortSignal) => Promise<WorkInput | undefined>
  /** Ends what is being done for the work. */
  stop: AbortSignal
  interruption: () => End | undefined
}

type Driving = Pick<RunCore, 'redact' | 'journal' | 'draining' | 'controls'>

/** Goes on until the work ends, or until the agent would have to be called once more than it may. */
export async function drive(run: Driving, turns: Turns, options: Drive): Promise<WorkStep> {
  const { issue, callsMax, perform, interruption } = options
  const { controls } = run
  const stop = AbortSignal.any([options.stop, controls.cancelled])
  const decide = async (happened: WorkInput) => {
    const input = redactTexts(happened, run.redact)
    const next = reduce(turns.work, input)
    turns.work = next.work
    await run.journal.tell({ event: 'decided', issue, worker: turns.worker, input, step: next.step })
    return next.step
  }
  let step = options.from
  let calls = 0
  while (step.do !== 'end') {
    await controls.poll()
    const cut = interruption()
    if (cut !== undefined) return cut
    if (controls.cancelled.aborted) {
      step = await decide({ of: 'control', command: 'cancel', reason: String(controls.cancelled.reason) })
    } else if (step.do === 'wait') {
      if (controls.isPaused() && !options.waits) return step
      await controls.untilResumed(AbortSignal.any([stop, run.draining]))
      if (controls.cancelled.aborted) continue
      if (controls.isPaused()) return interruption() ?? ended('failed', 'the run ended while it was paused')
      step = await decide({ of: 'control', command: 'resume', reason: 'resumed' })
    } else if (step.do === 'run' && controls.isPaused()) {
      step = await decide({ of: 'control', command: 'pause', reason: 'paused' })
    } else {
      if (step.do === 'run' && calls === callsMax) return step
      if (step.do === 'run') calls += 1
      const input = await perform(step, stop)
      if (input === undefined) return interruption() ?? ended('failed', 'the run ended while its agent was limited')
      // What has landed is done, also when it was to be stopped.
      const landed = input.of === 'landing' && input.end === 'landed'
      if (!landed && stop.aborted) continue
      step = await decide(input)
    }
  }
  return step
}

const ended = (outcome: End['outcome'], reason: string): End => ({ do: 'end', outcome, reason })
