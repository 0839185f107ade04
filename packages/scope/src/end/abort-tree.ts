// Ending a session and those that it started, the deepest first: said in the log before anything is killed, so that
// nothing that dies of it takes it for a failure of its own.

import { endAll } from '../session/end-left.ts'
import type { Session } from '../session/fold-session.ts'
import { look, lookAtBegun } from '../session/look.ts'
import { readSession } from '../session/read-session.ts'
import { record, type Scribe } from '../session/record.ts'
import { isOver, type State } from '../session/transitions.ts'

export type Aborted = { readonly v: 1; readonly id: string; readonly status: State; readonly was: State }

type Wish = { readonly reason: string; readonly keepsChildren: boolean }

/**
 * Ends them and returns how each stands. What is over keeps its state; what it left running is ended all the same. Once
 * a session is aborted it starts no other, so what it has started meanwhile is known then.
 */
export async function abortTree(scribe: Scribe, id: string, wish: Wish): Promise<Aborted[]> {
  const before = await look(scribe, id)
  const session = before.loop === null ? before : await abortLoop(scribe, before, wish.reason)
  const ended = await abortChildren(scribe, session.children, wish)
  const { state, children } = await sayAborted(scribe, session, wish.reason)
  const known = ended.map((one) => one.id)
  const late = children.filter((child) => !known.includes(child))
  ended.push(...(await abortChildren(scribe, late, wish)))
  await endAll(scribe, session)
  return [...ended, { v: 1, id, status: state, was: before.state }]
}

async function abortChildren(scribe: Scribe, children: readonly string[], wish: Wish): Promise<Aborted[]> {
  const ended: Aborted[] = []
  if (wish.keepsChildren) return ended
  for (const child of children) {
    if ((await lookAtBegun(scribe, child)) !== undefined) ended.push(...(await abortTree(scribe, child, wish)))
  }
  return ended
}

/** A loop is stopped before its members are: it would take their end for theirs, or start others. */
async function abortLoop(scribe: Scribe, before: Session, reason: string): Promise<Session> {
  await sayAborted(scribe, before, reason)
  await endAll(scribe, before)
  return look(scribe, before.id)
}

async function sayAborted(scribe: Scribe, session: Session, reason: string): Promise<Session> {
  const { id, state } = session
  if (isOver(state)) return readSession(scribe.store, id) ?? session
  return record(scribe, id, () => [{ event: 'aborted', by: 'abort', reason }])
}
