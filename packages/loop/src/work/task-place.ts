import type { Journal } from '../record/journal.ts'
import type { WorkInput } from '../state/work-schema.ts'
import { tail } from '../text/cut-text.ts'
import type { Place } from './place.ts'

/** What a task is called where an issue would have its id. */
export const taskName = 'task'

const reasonBytesMax = 4096

type Task = {
  readonly journal: Journal
  readonly worker: string
  /** So many there were by now. */
  iterations(): number
  verify(stop: AbortSignal): Promise<WorkInput>
}

/** The place of a task: a command may decide whether it is done; nothing is committed or landed, or cleaned up. */
export function taskPlace({ journal, worker, iterations, verify }: Task): Place {
  return {
    async perform(gate, stop = new AbortController().signal) {
      if (gate.do !== 'verify') throw new Error(`bug: a task has no step ${gate.do}`)
      return verify(stop)
    },
    async finish({ outcome, reason }) {
      // Its end alone, so that no line grows without bound.
      const why = reason === undefined ? {} : { reason: tail(reason, reasonBytesMax) }
      const result = { issue: taskName, outcome, iterations: iterations(), ...why }
      await journal.tell({ event: 'done', worker, ...result })
      return result
    },
  }
}
