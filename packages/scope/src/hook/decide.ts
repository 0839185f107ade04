// What an event of a host says about a session. The end of a turn is judged elsewhere, as it needs to read more.
import type { HostEvent } from '@switchyard/wire/host-event'
import type { Session } from '../session/fold-session.ts'
import type { EventDraft } from '../session/record.ts'

const by = 'hook'

/** `activity`: what a tool does, as a line; `reason`: why a person is needed; `contract`: what the agent is told first. */
export type Told = { readonly activity?: string | undefined; readonly reason?: string; readonly contract?: string }

/**
 * What there is to record, given the session as it is then; nothing most of the time. An agent without a screen is
 * followed by its supervisor, which knows more: its hooks only tell which conversation it is.
 */
export function draftsOf(session: Session, event: HostEvent, told: Told): readonly EventDraft[] {
  const isKnown = session.agentSession === event.session
  const ready: EventDraft = { event: 'ready', by, agent_session: event.session }
  const isScreen = session.created.backend === 'tmux'
  const isAgain = event.event === 'session-start' && !session.isReady
  const isStop = event.event === 'stop'
  return [...((isKnown && !isAgain) || isStop ? [] : [ready]), ...(isScreen ? turnOf(session, event, told) : [])]
}

function turnOf(session: Session, event: HostEvent, { activity, reason = '', contract }: Told): readonly EventDraft[] {
  // Its process has ended: what a slow hook has to say comes too late.
  if (session.turn === null) return []
  switch (event.event) {
    case 'prompt':
      return promptOf(session, event.prompt, contract)
    case 'pre-tool':
      if (activity?.startsWith('asking: ')) return needs(session, activity.slice('asking: '.length))
      return event.agentId === undefined ? atWork(session) : []
    case 'post-tool':
      return session.needs === null ? [] : [{ event: 'turn', by, turn: 'busy' }]
    case 'notice':
      return event.needs === undefined ? [] : needs(session, reason)
    case 'stop-failure':
      return needs(session, reason)
    default:
      return []
  }
}

/** The contract is known by its text, whoever delivers it; what else is said is a prompt. */
function promptOf(session: Session, prompt: string, contract: string | undefined): readonly EventDraft[] {
  const isContract = contract !== undefined && prompt.trim() === contract.trim()
  if (isContract && !session.isSubmitted) return [{ event: 'submitted', by, bytes: Buffer.byteLength(prompt) }]
  return isContract && session.turn === 'busy' ? [] : [{ event: 'prompted', by }]
}

/** A tool of the agent itself: it works, also where it was thought to be done, as when another's hook sent it on. */
function atWork({ state, turn, needs: asked }: Session): readonly EventDraft[] {
  if (state === 'done') return [{ event: 'prompted', by }]
  const isKnown = turn === 'busy' && asked === null
  return isKnown ? [] : [{ event: 'turn', by, turn: 'busy' }]
}

/** The first reason stands: what comes after it says less. */
const needs = (session: Session, reason: string): readonly EventDraft[] =>
  session.needs === null ? [{ event: 'turn', by, turn: 'needs_input', reason }] : []
