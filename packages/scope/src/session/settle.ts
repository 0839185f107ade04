// What a look at a session finds out: that its process has died, that it was never started, that it is done because its
// children are.
import type { Store } from '@switchyard/topic'
import { isPaused, type Session } from './fold-session.ts'
import { isGone } from './process-here.ts'
import { readSession } from './read-session.ts'
import type { EventDraft } from './record.ts'
import { isOver } from './transitions.ts'

/** Between the start of a process and its first word in the log. */
const startingMs = 5_000

/** Whether a child, if it ever came to be, is over. */
function isChildOver(store: Store, id: string): boolean {
  const child = readSession(store, id)
  return child === undefined || isOver(child.state)
}

/** That a session is done whose own turn has ended; nothing while a child of it is not over. */
export function doneUnlessAwaited(store: Store, { children }: Session, by: string): readonly EventDraft[] {
  return children.every((id) => isChildOver(store, id)) ? [{ event: 'done', by }] : []
}

/** Whether the turn of its contract has ended, and nobody is asked anything. */
const hasNothingToDo = ({ state, turn, isSubmitted, needs }: Session) =>
  state === 'running' && (turn === null || (turn === 'idle' && isSubmitted && needs === null))

/** What there is to record about a session that is as its log says; nothing most of the time. */
export function findSettled(store: Store, session: Session, now: number): readonly EventDraft[] {
  if (isPaused(session)) return []
  const { process, created } = session
  const by = 'a reader'
  const hasGone = process !== undefined && isGone(process)
  if (isOver(session.state)) return hasGone ? [{ event: 'ended', by, exit_code: null, signal: null }] : []
  if (hasGone) {
    return [{ event: 'failed', by, reason: `process ${process.pid}, which kept it going, is gone` }]
  }
  if (hasNothingToDo(session)) return doneUnlessAwaited(store, session, by)
  if (process !== undefined) return []
  // A time to come is by another clock.
  const isLate = Math.abs(now - session.since) > startingMs
  if (!isLate || !isGone(created.spawner)) return []
  return [{ event: 'failed', by, reason: 'it was never started: whoever was to do so is gone' }]
}
