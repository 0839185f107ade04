// Watching a turn for what ends it before its time: that nothing is heard of it, or that it spends more than it may.
import { type Over, type Spending, sumOf, whyOver } from '../budget.ts'
import type { Session } from '../session/fold-session.ts'
import { readSession } from '../session/read-session.ts'
import type { Scribe } from '../session/record.ts'
import { spentBy } from '../session/spending.ts'
import { idleWatch } from './idle.ts'
import type { Launch } from './launch-schema.ts'

/** Why a turn is ended, and by which limit of its budget, where it is one. */
export type Stop = Omit<Over, 'limit'> & Partial<Over>

/** Why a session has failed whose agent had so long and no longer. */
export const outOfTime = (timeoutMs: number) => `it was out of time after ${timeoutMs} ms`

type Watch = { readonly signal: AbortSignal; readonly why: () => Stop | undefined; readonly stop: () => void }

const lookMs = 500

/** A way to ask why a turn is to be ended now; `spent` is what it has spent so far and its log does not tell. */
export function stopWatch(
  { store }: Pick<Scribe, 'store'>,
  launch: Launch,
  spent: (session: Session) => Spending,
): () => Stop | undefined {
  const whyIdle = idleWatch(store, launch)
  return () => {
    const reason = whyIdle()
    if (reason !== undefined) return { reason }
    const session = launch.budget === undefined ? undefined : readSession(store, launch.id)
    return session && whyOver(launch.budget, sumOf([spentBy(store, session), spent(session)]))
  }
}

/** Looks at a turn again and again; its signal is aborted once there is a reason to end it. */
export function watchTurn(scribe: Scribe, launch: Launch, spent: (session: Session) => Spending): Watch {
  const ending = new AbortController()
  const whyStopped = stopWatch(scribe, launch, spent)
  let why: Stop | undefined
  const timer = setInterval(() => {
    why ??= whyStopped()
    if (why !== undefined) ending.abort()
  }, lookMs)
  if (launch.idle_timeout_ms === undefined && launch.budget === undefined) clearInterval(timer)
  return { signal: ending.signal, why: () => why, stop: () => clearInterval(timer) }
}
