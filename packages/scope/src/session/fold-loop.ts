// How a loop stands: in which turn of work and check it is, and what the last one came to.
import type { SessionEvent } from './event-schema.ts'

type Verdict = Extract<SessionEvent, { event: 'verdict' }>

/** A loop as its session's log tells it. `iteration` counts from 0, as the ids of its sessions do. */
export type Loop = {
  readonly iteration: number
  readonly max: number
  readonly verdict: Verdict['verdict'] | 'max_iterations' | null
  readonly gates: Verdict['gates'] | null
  readonly criteria: Verdict['criteria']
  /** The iteration that the verdict is about; null before the first. */
  readonly judged: number | null
  /** Whether it has ended by that verdict, and was not taken up again for another iteration. */
  readonly isEnded: boolean
}

/** The loop behind one more event of its session; null for a session that is none. */
export function loopAfter(before: Loop | null, event: SessionEvent): Loop | null {
  if (event.event === 'created') {
    const { role, max_iterations: max } = event
    if (role !== 'loop' || max === undefined) return null
    return { iteration: 0, max, verdict: null, gates: null, criteria: null, judged: null, isEnded: false }
  }
  if (before === null) return null
  switch (event.event) {
    case 'iteration':
      return { ...before, iteration: event.iteration, isEnded: false }
    case 'verdict':
      return {
        ...{ ...before, iteration: event.iteration, judged: event.iteration },
        ...{ verdict: event.verdict, gates: event.gates, criteria: event.criteria },
      }
    case 'failed':
      return event.verdict === undefined ? before : { ...before, verdict: event.verdict, isEnded: true }
    case 'resumed':
      return { ...before, max: event.max_iterations ?? before.max }
    default:
      return before
  }
}
