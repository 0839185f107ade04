// The record of a run that a runner works: this process is the only one that tells what is done in it.

import type { Env } from '@switchyard/ground/state-folder'
import { createBus, type Store } from '@switchyard/topic'
import type { LoopEvent } from '../state/event-schema.ts'
import { foldRun } from '../state/fold-run.ts'
import type { RunStatus } from '../state/status-schema.ts'
import { framesOf } from './current.ts'
import { type Journal, openJournal, runnerFor } from './journal.ts'

export type RunnerWorld = {
  readonly env: Env
  readonly now: () => number
  readonly told: (event: LoopEvent) => void
  /** How the run stood when it was left. */
  readonly before: RunStatus | undefined
}

/** The record of a run of this process. Makes the bus when there is none. */
export function openRunRecord(store: Store, run: string, { env, now, told, before }: RunnerWorld): Journal {
  createBus(store)
  let status = before
  return openJournal(store, run, {
    ...{ env, now, told },
    nameFor: (event) => runnerFor(run, event),
    standing(event, at) {
      status = foldRun(status, event, at)
      return status && { status, stack: framesOf(status) }
    },
    lost: {
      what: 'during the run; its events are lost',
      hint: 'claims were given back and worktrees removed; run it again',
    },
  })
}
