// Writing into the log of a session: decided on the log as it is then, one writer at a time, and told to the bus.
import { orRefusedLater } from '@switchyard/ground/disk'
import { Failure } from '@switchyard/ground/failure'
import { ulid } from '@switchyard/ground/ulid'
import { appendLines, transact } from '@switchyard/jsonl'
import type { Store } from '@switchyard/topic'
import { whyOver } from '../budget.ts'
import type { SessionEvent } from './event-schema.ts'
import { publish } from './feed.ts'
import { foldSession, type Session } from './fold-session.ts'
import { markLive, markOver } from './live.ts'
import { noticeWordOf } from './notice-word.ts'
import { project } from './project.ts'
import { readSession } from './read-session.ts'
import { eventsFile } from './scope-store.ts'
import { spentBy } from './spending.ts'
import { isOver } from './transitions.ts'

type Own<E> = E extends unknown ? Omit<E, 'v' | 'id' | 'at' | 'session'> : never

/** An event without what every event has. */
export type EventDraft = Own<SessionEvent>

/** Where sessions are, and where their news go. `bus` is undefined where there is none. */
export type Scribe = {
  readonly store: Store
  readonly bus: Store | undefined
  readonly now: () => number
  /** Tells the user of what may be told, and does not wait for that; without it nobody is told. */
  readonly announce?: (events: readonly SessionEvent[]) => Promise<void>
}

/**
 * Appends what `decide` asks for, given the session as it stands; undefined before it was created. `decide` may be
 * called only once, inside the section. Returns the session behind the events. What is void in its state is not
 * written.
 */
export async function record(
  { store, bus, now, announce }: Scribe,
  id: string,
  decide: (session: Session | undefined) => readonly EventDraft[],
): Promise<Session> {
  const path = eventsFile(store, id)
  let written: readonly SessionEvent[] = []
  const session = await orRefusedLater(`session ${id} was to be written`, () =>
    transact(path, () => {
      const before = readSession(store, id)
      const at = now()
      const events: SessionEvent[] = []
      let after = before
      for (const draft of decide(before)) {
        const event: SessionEvent = { v: 1, id: ulid(at), at, session: id, ...withinBudget(store, after, draft) }
        const next = foldSession(after, event)
        if (next === undefined || next === after) continue
        after = next
        events.push(event)
      }
      if (after === undefined) throw new Failure('notFound', `there is no session ${id}`)
      if (isOver(before?.state ?? 'pending') && !isOver(after.state)) markLive(store, id)
      appendLines(
        path,
        events.map((event) => JSON.stringify(event)),
      )
      written = events
      project(store, after)
      if (isOver(after.state) && !isOver(before?.state ?? 'pending')) markOver(store, id, at)
      return after
    }),
  )
  if (bus !== undefined) await publish(bus, store, id)
  const notable = written.filter((event) => noticeWordOf(event) !== undefined)
  if (notable.length > 0) await announce?.(notable)
  return session
}

/** One that has spent more than it may is not done, whoever noticed first that its turn has ended. */
function withinBudget(store: Store, session: Session | undefined, draft: EventDraft): EventDraft {
  if (draft.event !== 'done' || session?.budget == null) return draft
  const over = whyOver(session.budget, spentBy(store, session))
  return over === undefined ? draft : { event: 'failed', by: draft.by, ...over }
}
