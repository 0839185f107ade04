// A recorded run, folded again: what the reducer says now, against what it said then.
import { isDeepStrictEqual } from 'node:util'
import type { LoopEvent } from '../state/event-schema.ts'
import { beginWork, reduce, type Work } from '../state/reduce.ts'
import type { WorkInput, WorkStep } from '../state/work-schema.ts'

/** An event with the id of its message. */
export type Recorded = { readonly id: string; readonly event: LoopEvent }

/** The first decision that came out otherwise. `folded` is null when its work was never begun. */
type Disagreement = {
  readonly id: string
  readonly issue: string
  readonly input: WorkInput
  readonly recorded: WorkStep
  readonly folded: WorkStep | null
}

/** How many decisions agree, up to the first that does not. */
export type Replay = { readonly decisions: number; readonly disagreement: Disagreement | null }

/** Folds every decision of a run again, each work by itself. */
export function replay(events: Iterable<Recorded>): Replay {
  const works = new Map<string, Work>()
  let decisions = 0
  for (const { id, event } of events) {
    if (event.event === 'began') works.set(event.issue, beginWork(event.rules, event.limits))
    if (event.event !== 'decided') continue
    const { issue, input, step: recorded } = event
    const work = works.get(issue)
    const next = work && reduce(work, input)
    if (next === undefined || !isDeepStrictEqual(decisionIn(next.step), decisionIn(recorded))) {
      return { decisions, disagreement: { id, issue, input, recorded, folded: next?.step ?? null } }
    }
    works.set(issue, next.work)
    decisions += 1
  }
  return { decisions, disagreement: null }
}

/** What is decided in a step. How the agent and people are told of it is no part: a later version may word it anew. */
function decisionIn(step: WorkStep) {
  if (step.do === 'run') return { do: step.do, iteration: step.iteration }
  return step.do === 'end' ? { do: step.do, outcome: step.outcome, commit: step.commit } : { do: step.do }
}
