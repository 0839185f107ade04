// Who asks to post a verdict: a reviewer that loop started, a person, another session; never who does the work, by
// whatever name, nor what it has started.

import { ancestors } from '@switchyard/exec'
import { Failure } from '@switchyard/ground/failure'
import type { Env } from '@switchyard/ground/state-folder'
import { isWorker } from '@switchyard/guard/is-worker'
import type { Store } from '@switchyard/topic'
import { isInWorktree } from '../caller/in-worktree.ts'
import { hasTerminal } from '../caller/terminal.ts'
import { readBinding } from '../record/binding.ts'
import { sessionOf } from '../record/env-session.ts'
import { readRun } from '../record/journal.ts'
import type { Session } from '../state/event-schema.ts'
import { nameOf } from './verdict.ts'

/** The variable that a reviewer is started with. */
export const reviewerToken = 'LOOP_REVIEWER'

export type Poster =
  | { readonly of: 'reviewer'; readonly token: string }
  | { readonly of: 'session'; readonly sessions: string[] }
  | { readonly of: 'person' | 'script' }

type Asked = { readonly env: Env; readonly cwd: string; readonly store: Store; readonly run: string | null }

/**
 * Who this is; a script is whoever is neither at a terminal nor in a session. Failure `conflict` for a worker and for all
 * that it started; while a run is at work, also for a script.
 */
export function posterOf({ env, cwd, store, run }: Asked): Poster {
  const token = env[reviewerToken]
  if (token) return { of: 'reviewer', token }
  const above = ancestors()
  const environments = [env, ...above.map((ancestor) => ancestor.env)]
  const owner = run === null ? null : readRun(store, run)?.status?.owner
  const isBelowRun = owner != null && above.some(({ pid, start }) => pid === owner.pid && start === owner.start)
  if (isBelowRun || environments.some(isWorker) || isInWorktree(cwd)) throw selfReview()
  const sessions = environments.flatMap((one) => sessionOf(one) ?? [])
  if (run !== null && sessions.some((session) => works(store, session, run))) throw selfReview()
  if (sessions.length > 0) return { of: 'session', sessions: [...new Set(sessions.map(nameOf))] }
  if (hasTerminal()) return { of: 'person' }
  if (run === null) return { of: 'script' }
  throw new Failure('conflict', 'expected a person at a terminal, there is none', { retryable: false })
}

/** Why a worker is refused. */
export const selfReview = () =>
  new Failure('conflict', 'expected a review by somebody else than who does the work', { retryable: false })

function works(store: Store, session: Session, run: string): boolean {
  const owner = readRun(store, run)?.status?.session
  const isOwner = owner?.host === session.host && owner.id === session.id
  return isOwner || readBinding(store, session).stack.includes(run)
}
