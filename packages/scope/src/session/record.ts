// Writing into the log of a session: decided on the log as it is then, one writer at a time, and told to the bus.
import { orRefusedLater } from '@switchyard/ground/disk'
import { Failure } from '@switchyard/ground/failure'
import { ulid } from '@switchyard/ground/ulid'
import { appendLines, holdLock, transact } from '@switchyard/jsonl'
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

type Decide = (session: Session | undefined) => readonly EventDraft[]
type Written = { readonly session: Session; readonly events: readonly SessionEvent[] }

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
export async function record(scribe: Scribe, id: string, decide: Decide): Promise<Session> {
  const written = await orRefusedLater(`session ${id} was to be written`, () =>
    transact(eventsFile(scribe.store, id), () => append(scribe, id, decide)),
  )
  await tell(scribe, written)
  return written.session
}

/**
 * Appends to several logs of which nobody else writes any meanwhile, in the order in which they are given: whoever acts
 * on what the first one says finds it said in the others. The locks are taken in the other order.
 */
export async function recordAll(scribe: Scribe, ids: readonly string[], decide: Decide): Promise<Session[]> {
  const under = (locks: readonly string[]): Promise<Written[]> => {
    const [first, ...rest] = locks
    if (first === undefined) return Promise.resolve(ids.map((id) => append(scribe, id, decide)))
    return holdLock(eventsFile(scribe.store, first), () => under(rest))
  }
  const all = await orRefusedLater(`session ${ids[0]} was to be written`, () => under(ids.toReversed()))
  for (const written of all) await tell(scribe, written)
  return all.map(({ session }) => session)
}

/** Inside the section of the log. */
function append({ store, now }: Scribe, id: string, decide: Decide): Written {
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
    eventsFile(store, id),
    events.map((event) => JSON.stringify(event)),
  )
  project(store, after)
  if (isOver(after.state) && !isOver(before?.state ?? 'pending')) markOver(store, id, at)
  return { session: after, events }
}

/** The bus hears of it, and the user where it is worth it. */
async function tell({ store, bus, announce }: Scribe, { session, events }: Written): Promise<void> {
  if (bus !== undefined) await publish(bus, store, session.id)
  const notable = events.filter((event) => noticeWordOf(event) !== undefined)
  if (notable.length > 0) await announce?.(notable)
}

/** One that has spent more than it may is not done, whoever noticed first that its turn has ended. */
function withinBudget(store: Store, session: Session | undefined, draft: EventDraft): EventDraft {
  if (draft.event !== 'done' || session?.budget == null) return draft
  const over = whyOver(session.budget, spentBy(store, session))
  return over === undefined ? draft : { event: 'failed', by: draft.by, ...over }
}
