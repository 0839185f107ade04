// Pausing a session with all below it that is at work: said in the log before anything is ended, so that nothing that
// dies of it takes it for a failure of its own; then their worktrees are given up.
import { Failure } from '@switchyard/ground/failure'
import { holdLock } from '@switchyard/jsonl'
import { endAll } from '../session/end-left.ts'
import type { Session } from '../session/fold-session.ts'
import { look, lookAtBegun } from '../session/look.ts'
import { readSession } from '../session/read-session.ts'
import { record, type Scribe } from '../session/record.ts'
import { sessionLock } from '../session/scope-store.ts'
import { isOver } from '../session/transitions.ts'
import { requireNobodyIn } from '../worktree/beside.ts'
import type { Git } from '../worktree/git.ts'
import type { Mark } from '../worktree/mark-schema.ts'
import { ownMark } from '../worktree/own-worktree.ts'
import { parkWorktree, requireParkable } from '../worktree/park.ts'

const by = 'pause'
const lockWaitMs = 30_000

/** Where worktrees are; outside of repositories there is none. */
export type Grounds = Omit<Parameters<typeof ownMark>[0], 'store'> & {
  readonly git: Git
  readonly repository: Parameters<typeof ownMark>[1]
}

/** `commit` is the newest of its branch where something was in no commit. */
export type Paused = { readonly session: Session; readonly mark: Mark | undefined; readonly commit: string | null }

/**
 * Pauses them, and returns them as they stand, the one that was named first. May be repeated after any kill. Fails as
 * `conflict` where the session is over, or a worktree has what could not be kept; that is found out before anything is
 * ended.
 */
export async function pauseTree(scribe: Scribe, id: string, grounds: Grounds): Promise<Paused[]> {
  const { store } = scribe
  return holdLock(
    sessionLock(store, id),
    async () => {
      const first = await look(scribe, id)
      if (isOver(first.state)) throw new Failure('conflict', `session ${id} is ${first.state}`, { retryable: false })
      for (const session of atWorkBelow(scribe, first)) await requirePausable(scribe, session, first, grounds)
      await sayPaused(scribe, first)
      for (const session of atWorkBelow(scribe, first)) await endAll(scribe, session)
      const paused: Paused[] = []
      for (const session of atWorkBelow(scribe, first)) {
        const mark = ownMark({ ...grounds, store }, grounds.repository, session)
        const commonDir = grounds.repository?.commonDir ?? ''
        const commit =
          mark === undefined ? null : await parkWorktree(grounds.git, { ...grounds, store, commonDir }, mark)
        paused.push({ session, mark, commit })
      }
      return paused
    },
    { deadlineMs: lockWaitMs },
  )
}

/** A session and those below it that are not over, each before its children. */
export function atWorkBelow({ store }: Pick<Scribe, 'store'>, { id }: Pick<Session, 'id'>): Session[] {
  const session = readSession(store, id)
  if (session === undefined) return []
  const below = session.children.flatMap((child) => atWorkBelow({ store }, { id: child }))
  return isOver(session.state) ? below : [session, ...below]
}

/** One that is paused starts nothing more: its children are all there will be. Nothing is ended before all are. */
async function sayPaused(scribe: Scribe, { id }: Session): Promise<void> {
  const { children } = await record(scribe, id, () => [{ event: 'paused', by }])
  for (const child of children) {
    const session = await lookAtBegun(scribe, child)
    if (session !== undefined) await sayPaused(scribe, session)
  }
}

async function requirePausable(scribe: Scribe, session: Session, first: Session, grounds: Grounds): Promise<void> {
  const { store } = scribe
  const { git, repository } = grounds
  const mark = ownMark({ ...grounds, store }, repository, session)
  if (mark === undefined || repository === undefined) return
  const tree = new Set(atWorkBelow(scribe, first).map(({ id }) => id))
  requireNobodyIn(store, mark.path, tree)
  await requireParkable(git, { ...grounds, store, commonDir: repository.commonDir }, mark)
}
