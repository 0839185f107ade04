// Whoever did the work does not review it: neither the worker by its name, nor the agent of a session by its own.
import { Failure } from '@switchyard/cli-kit/failure'
import { identify, type Store } from '@switchyard/topic'
import { sessionOf } from '../session/env-session.ts'
import { readStatus } from '../state/journal.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Why a worker is refused. */
export const selfReview = (by: string) =>
  new Failure('conflict', `expected a review by somebody else, ${by} did the work`, {
    hint: 'let another look at it, who gives a name: --by NAME',
    retryable: false,
  })

/**
 * Failure `conflict` when `by` is what the agent of the run's own session is called there. A reviewer that this agent
 * has started is in the same session, and says its own name.
 */
export function ensureOther(store: Store, { run, by, env }: { run: string | null; by: string; env: Env }): void {
  const session = sessionOf(env)
  const owner = run === null ? null : readStatus(store, run)?.session
  if (session === undefined || owner == null) return
  const isOwn = session.host === owner.host && session.id === owner.id
  if (isOwn && by === identify({ env, store })) throw selfReview(by)
}
