// The run that a session works, as an order: what a hook or a command tells, moves or runs on behalf of a session.

import type { Env } from '@switchyard/ground/state-folder'
import type { Store } from '@switchyard/topic'
import type { Session } from '../state/event-schema.ts'
import type { SessionRun } from '../state/fold-session-run.ts'
import { readBinding } from './binding.ts'
import { readRun } from './journal.ts'
import { isMadeHere } from './made-here.ts'
import { hasBinding } from './session-topic.ts'

/**
 * The innermost run of the session that is not over and that this machine started. A bus that came with a repository
 * may bind any run to any session: that is passed by. Undefined when it works none, for one look at the disk.
 */
export function findOwnRun(store: Store, session: Session, env: Env): SessionRun | undefined {
  if (!hasBinding(store, session)) return undefined
  for (const id of readBinding(store, session).stack.toReversed()) {
    const run = readOpenRun(store, id, env)
    if (run !== undefined) return run
  }
  return undefined
}

/** The run of that id, where it is not over and this machine started it. */
export function readOpenRun(store: Store, id: string, env: Env): SessionRun | undefined {
  const run = readRun(store, id)
  return run === undefined || run.isOver || !isMadeHere(store, run.started, env) ? undefined : run
}
