// The session that a hook belongs to: named by the environment that its agent was started with, and by nothing else.
import type { Context } from '@switchyard/cli-kit'
import { isAbsolute } from '@switchyard/ground/machine'
import { isMade, type Store } from '@switchyard/topic'
import type { HostEvent } from '@switchyard/wire/host-event'
import type { Session } from '../session/fold-session.ts'
import { isGone } from '../session/process-here.ts'
import { readSession } from '../session/read-session.ts'
import { openScope } from '../session/scope-store.ts'
import { isSessionId } from '../session/session-id.ts'

type Caller = Pick<Context, 'cwd' | 'env'>

/** Whether the environment names a session at all; most agents are none of scope's. */
export function isNamed({ env }: Pick<Context, 'env'>): boolean {
  return isAbsolute(env['SCOPE_DIR'] ?? '') && isSessionId(env['SCOPE_SESSION_ID'] ?? '')
}

/** That session with its store, where there is one; undefined where it is over for good. */
export function ownSession(call: Caller): { store: Store; session: Session } | undefined {
  const store = openScope(call)
  const session = isMade(store, 'sessions') ? readSession(store, call.env['SCOPE_SESSION_ID'] ?? '') : undefined
  return session !== undefined && canHear(session) ? { store, session } : undefined
}

/** One that has exited still gets the result of its turn; one that is done may be given more to do while it lives. */
function canHear({ state, turn, process }: Session): boolean {
  if (state === 'done') return turn !== null && process !== undefined && !isGone(process)
  return state === 'pending' || state === 'running' || state === 'exited'
}

/**
 * Whether an event is of the agent's own conversation. An agent that a session starts by hand has the same environment,
 * and a conversation of its own.
 */
export function isOwn({ agentSession, isReady }: Session, event: HostEvent): boolean {
  if (event.session === '') return false
  if (agentSession === null || agentSession === event.session) return true
  return event.event === 'session-start' && (event.source === 'clear' || !isReady)
}
