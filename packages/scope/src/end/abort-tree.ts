// Ending a session and those that it started, the deepest first: said in the log before anything is killed, so that
// nothing that dies of it takes it for a failure of its own.

import { endAll } from '../session/end-left.ts'
import type { Session } from '../session/fold-session.ts'
import { look } from '../session/look.ts'
import { readSession } from '../session/read-session.ts'
import { record, type Scribe } from '../session/record.ts'
import { isOver, type State } from '../session/transitions.ts'

export type Aborted = { readonly v: 1; readonly id: string; readonly status: State; readonly was: State }

type Wish = { readonly reason: string; readonly keepsChildren: boolean }

/** Ends them and returns how each stands. What is over keeps its state; what it left running is ended all the same. */
export async function abortTree(scribe: Scribe, id: string, wish: Wish): Promise<Aborted[]> {
  const before = await look(scribe, id)
  const session = before.loop === null ? before : await abortLoop(scribe, before, wish.reason)
  const ended: Aborted[] = []
  if (!wish.keepsChildren) {
    for (const child of session.children) {
      if (readSession(scribe.store, child) !== undefined) ended.push(...(await abortTree(scribe, child, wish)))
    }
  }
  const { state } = await abortOne(scribe, session, wish.reason)
  return [...ended, { v: 1, id, status: state, was: before.state }]
}

/** A loop is stopped before its members are: it would take their end for theirs, or start others. */
async function abortLoop(scribe: Scribe, before: Session, reason: string): Promise<Session> {
  await abortOne(scribe, before, reason)
  return look(scribe, before.id)
}

async function abortOne(scribe: Scribe, session: Session, reason: string): Promise<Session> {
  const after = isOver(session.state)
    ? session
    : await record(scribe, session.id, () => [{ event: 'aborted', by: 'abort', reason }])
  await endAll(scribe, session)
  return after
}
