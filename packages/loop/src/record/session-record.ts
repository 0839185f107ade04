// The record of a run that a session owns. Several processes write it at once: hooks, and commands from another
// terminal.

import type { Env } from '@switchyard/ground/state-folder'
import type { Store } from '@switchyard/topic'
import type { Session } from '../state/event-schema.ts'
import type { SessionRun } from '../state/fold-session-run.ts'
import { readBinding } from './binding.ts'
import type { Frame } from './current.ts'
import { type Journal, openJournal, readRun } from './journal.ts'
import { workerOfSession } from './worker-name.ts'

/** The record of one run. `session` owns it, and its other runs become frames of `loop:current`. */
export function openRecord(
  store: Store,
  session: Session,
  run: string,
  { env, now }: { env: Env; now: () => number },
): Journal {
  return openJournal(store, run, {
    ...{ env, now },
    nameFor: () => workerOfSession(session),
    standing() {
      const status = readRun(store, run)?.status
      return status && { status, stack: frames(store, session, run) }
    },
    lost: { what: 'while the loop ran; its state is lost', hint: 'start the loop again' },
  })
}

/** What the session works, the run that is recorded too, though it may be bound only in a moment. */
function frames(store: Store, session: Session, run: string): Frame[] {
  const { stack } = readBinding(store, session)
  const runs = stack.includes(run) ? stack : [...stack, run]
  return runs.flatMap((id) => frameOf(readRun(store, id)) ?? [])
}

function frameOf(run: SessionRun | undefined): Frame | undefined {
  if (run?.status === undefined || run.isOver) return undefined
  const { id, started, claimed, status } = run
  const frame = { id, iter: run.work?.iteration ?? 1, max: status.max, base_ref: started.base }
  if (started.mode === 'task') return { ...frame, mode: 'task', issue_id: null, worktree_path: null }
  const where = {
    worktree_path: claimed?.worktree ?? null,
    ...(claimed === undefined ? {} : { branch: claimed.branch }),
  }
  return { ...frame, mode: 'issue', issue_id: claimed?.issue ?? null, ...where }
}
