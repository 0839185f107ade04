import type { Env } from '@switchyard/ground/state-folder'
import type { Store } from '@switchyard/topic'
import type { Session } from '../state/event-schema.ts'
import { findOwnRun } from './own-run.ts'

/** The worktree of the issue that a session works, wherever it stands; undefined where it works none. */
export function boundWorktree(store: Store, session: Session, env: Env): string | undefined {
  return findOwnRun(store, session, env)?.claimed?.worktree
}
