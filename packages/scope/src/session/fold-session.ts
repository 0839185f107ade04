// How a session stands: its events in the order of the log. What the state does not allow any more is void.
import { added, type Budget, type Over } from '../budget.ts'
import type { ProcessOf, SessionEvent } from './event-schema.ts'
import { type Loop, loopAfter } from './fold-loop.ts'
import { isOver, type State, stateAfter } from './transitions.ts'

type Created = Extract<SessionEvent, { event: 'created' }>
type Turn = Extract<SessionEvent, { event: 'turn' }>['turn']
type Usage = NonNullable<Extract<SessionEvent, { event: 'result' }>['usage']>

/** A session as its log tells it. Times are milliseconds since 1970. */
export type Session = {
  readonly id: string
  readonly created: Created
  readonly state: State
  /** What the agent is doing; null once nothing runs any more. */
  readonly turn: Turn | null
  /** Why it needs input; null when it does not. */
  readonly needs: string | null
  /** When it came into this state. */
  readonly since: number
  /** Why it was stopped, or what it died of. */
  readonly reason: string | null
  /** Who keeps it going; undefined before anybody has begun, and when that has ended. */
  readonly process: ProcessOf | undefined
  /** Whether that process has started the agent. */
  readonly isStarted: boolean
  /** Whether the agent, since it was started last, has said which conversation it is in. */
  readonly isReady: boolean
  /** Whether the agent has its contract. */
  readonly isSubmitted: boolean
  /** The children that were begun, also those that never came to be. */
  readonly children: readonly string[]
  /** The agent's own id for its conversation, by which it goes on. */
  readonly agentSession: string | null
  /** How far its transcript was read for its usage, in bytes. */
  readonly readTo: number
  readonly results: number
  readonly usage: Usage | null
  readonly costUsd: number | null
  /** What it may spend, with all that it starts; null where that is not limited. */
  readonly budget: Budget | null
  /** The limit of its budget at which it has failed. */
  readonly limit: Over['limit'] | null
  /** How its loop stands; null when it is none. */
  readonly loop: Loop | null
  /** How far its `scope exit` was to go; null before it, and where it did not say. */
  readonly reach: 'session' | 'loop' | 'workflow' | null
  /** Whether its own agent said `scope exit`, and not one below it. */
  readonly hasExited: boolean
}

/** Whether its agent was ended so that it can go on later: nothing comes of it until somebody resumes it. */
export const isPaused = ({ turn }: Pick<Session, 'turn'>) => turn === 'paused'

/** Whether nothing comes of a session by itself, and nothing of it runs. */
export const isAtRest = ({ state, turn }: Pick<Session, 'state' | 'turn'>) => isOver(state) && turn === null

/** The session behind one more event; undefined before it was created. */
export function foldSession(before: Session | undefined, event: SessionEvent): Session | undefined {
  if (before === undefined) return event.event === 'created' ? begun(event) : undefined
  const state = stateAfter(before.state, event.event, isPaused(before))
  if (state === undefined || (event.event === 'submitted' && before.isSubmitted)) return before
  const since = state === before.state ? before.since : event.at
  return { ...before, state, since, ...changed(before, event), loop: loopAfter(before.loop, event) }
}

function begun(created: Created): Session {
  return {
    ...{ id: created.session, created, state: 'pending', turn: null, needs: null, since: created.at, reason: null },
    ...{ process: undefined, isStarted: false, isReady: false, isSubmitted: false, children: [], agentSession: null },
    ...{
      readTo: 0,
      results: 0,
      usage: null,
      costUsd: null,
      budget: created.budget ?? null,
      limit: null,
      loop: loopAfter(null, created),
      reach: null,
      hasExited: false,
    },
  }
}

/** What an event changes beside the state. */
function changed(before: Session, event: SessionEvent): Partial<Session> {
  switch (event.event) {
    case 'created':
      return {}
    case 'child':
      return before.children.includes(event.child) ? {} : { children: [...before.children, event.child] }
    case 'launched':
      return before.process === undefined ? { process: event.process, turn: 'starting' } : {}
    case 'queued':
      return { process: event.process, turn: 'queued' }
    case 'started':
      return { process: event.process, isStarted: true, isReady: false, turn: 'starting', needs: null }
    case 'ready':
      return {
        ...{ turn: before.turn === 'starting' ? 'idle' : before.turn, isReady: true },
        ...conversation(before, event.agent_session),
      }
    case 'submitted':
      return { turn: 'busy', needs: null, isSubmitted: true }
    case 'prompted':
      return { turn: 'busy', needs: null, ...(before.state === 'done' ? { reason: null } : {}) }
    case 'turn':
      return { turn: event.turn, needs: event.turn === 'needs_input' ? (event.reason ?? '') : null }
    case 'result':
      return withResult(before, event)
    case 'done':
      return { needs: null }
    case 'exited':
      return { needs: null, reason: event.reason, reach: event.reach ?? null, hasExited: event.from === undefined }
    case 'aborted':
      return { needs: null, reason: event.reason, ...(isPaused(before) ? gone : {}) }
    case 'paused':
      return { ...gone, turn: 'paused' }
    case 'failed':
      return { ...gone, reason: event.reason, limit: event.limit ?? null }
    case 'ended':
      return isPaused(before) ? {} : gone
    case 'resumed':
      return {
        ...{ ...gone, reason: null, reach: null, hasExited: false, turn: 'starting', isSubmitted: false },
        ...{ limit: null, budget: event.budget ?? before.budget },
      }
    case 'iteration':
      return { turn: 'busy' }
    case 'gate':
    case 'verdict':
    case 'judged':
      return {}
  }
}

/** The agent's own id for its conversation: of another one nothing was read yet. */
function conversation({ agentSession, readTo }: Session, now: string | null) {
  return now === null || now === agentSession ? { agentSession, readTo } : { agentSession: now, readTo: 0 }
}

const gone = { process: undefined, isStarted: false, turn: null, needs: null } as const

function withResult(before: Session, event: Extract<SessionEvent, { event: 'result' }>) {
  const { agent_session, usage, cost_usd, read_to } = event
  const { agentSession, readTo } = conversation(before, agent_session)
  return {
    ...{ results: before.results + 1, agentSession, readTo: read_to ?? readTo },
    ...added(before, { usage, costUsd: cost_usd }),
  }
}
