import type { WorkInput, WorkStep } from '../state/work-schema.ts'

/** A step that is done without the agent. */
export type Gate = Extract<WorkStep, { do: 'verify' | 'review' | 'land' }>

/** Who moves a work: a runner, or a hook of a session. */
export type Mover = {
  /** Hears what was asked meanwhile, and says what is next; undefined when there is nothing to move. */
  next(): Promise<WorkStep | undefined>
  perform(gate: Gate): Promise<WorkInput>
  /** Records what happened and what follows; false when another process decided first. */
  decide(input: WorkInput): Promise<boolean>
}

/**
 * Passes the gates of a work, up to a step that loop does not do itself: a turn of the agent, a wait, the end.
 * Undefined when it is not this process that moves it.
 */
export async function advance({ next, perform, decide }: Mover): Promise<Exclude<WorkStep, Gate> | undefined> {
  for (;;) {
    const step = await next()
    if (step === undefined || step.do === 'run' || step.do === 'wait' || step.do === 'end') return step
    if (!(await decide(await perform(step)))) return undefined
  }
}
