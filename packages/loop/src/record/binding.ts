// Which runs a session works, the innermost last.
import { isFailure } from '@switchyard/ground/failure'
import { postMessage, readMessages, type Store } from '@switchyard/topic'
import type { Session } from '../state/event-schema.ts'
import { type BindingEvent, bindingEvent } from './binding-schema.ts'
import { markBound } from './bound-mark.ts'
import { hasBinding, sessionTopic } from './session-topic.ts'

/** `stack`: ids of runs, outermost first. `head` names what was read, for whoever changes it. */
export type Binding = {
  readonly stack: readonly string[]
  readonly ended: boolean
  readonly head: string | null
  /** When a new session took its window over, in milliseconds since 1970. */
  readonly clearedAt: number | undefined
}

const nothing: Binding = { stack: [], ended: false, head: null, clearedAt: undefined }
const attemptsMax = 20

/** The binding after one more event. A run is in it at most once. */
function foldBinding({ stack, ended, head, clearedAt }: Binding, event: BindingEvent, at: number): Binding {
  switch (event.event) {
    case 'bound':
      return { ...nothing, stack: [...stack.filter((run) => run !== event.run), event.run], head }
    case 'released':
      return { stack: stack.filter((run) => run !== event.run), ended, head, clearedAt }
    case 'ended':
      return { stack, ended: true, head, clearedAt: event.cleared ? at : clearedAt }
    case 'begun':
      return { ...nothing, stack, head }
  }
}

/** What the session's topic says now. */
export function readBinding(store: Store, session: Session): Binding {
  const topic = sessionTopic(session)
  if (topic === undefined || !hasBinding(store, session)) return nothing
  let binding = nothing
  for (const { message } of readMessages(store, topic)) {
    const event = bindingEvent.safeParse(message.data)
    binding = { ...(event.success ? foldBinding(binding, event.data, message.at) : binding), head: message.id }
  }
  return binding
}

/** The run that the session works now; undefined when it works none, for one look at the disk. */
export function findSessionRun(store: Store, session: Session): string | undefined {
  return hasBinding(store, session) ? readBinding(store, session).stack.at(-1) : undefined
}

/** Puts a run on top of what the session works. */
export async function bindRun(
  store: Store,
  session: Session,
  bound: { run: string; stale_after: number },
  now: number,
) {
  await change(store, session, { event: 'bound', ...bound }, now, () => true)
  markBound(store, session, true)
}

/** Takes a run away from the session; nothing to do when it has it not. */
export async function releaseRun(store: Store, session: Session, run: string, now: number) {
  await change(store, session, { event: 'released', run }, now, ({ stack }) => stack.includes(run))
  if (readBinding(store, session).stack.length === 0) markBound(store, session, false)
}

/** Notes that the host says that the session is over, or that it goes on; nothing to do when it works no run. */
export function noteSession(
  store: Store,
  session: Session,
  event: Extract<BindingEvent, { event: 'ended' | 'begun' }>,
  now: number,
) {
  const isEnd = event.event === 'ended'
  return change(store, session, event, now, ({ stack, ended }) => stack.length > 0 && ended !== isEnd)
}

/** Two that change a binding at once never build on the same state: the loser reads again. */
async function change(
  store: Store,
  session: Session,
  event: BindingEvent,
  now: number,
  isNeeded: (binding: Binding) => boolean,
): Promise<void> {
  const topic = sessionTopic(session)
  if (topic === undefined) return
  const body = 'run' in event ? `${event.event} ${event.run}` : event.event
  for (let attempt = 1; ; attempt++) {
    const binding = readBinding(store, session)
    if (!isNeeded(binding)) return
    try {
      const draft = { topic, from: `${session.host}-session`, body, data: event }
      await postMessage(store, draft, now, { expect: binding.head })
      return
    } catch (error) {
      if (!isFailure(error) || error.kind !== 'conflict' || attempt === attemptsMax) throw error
    }
  }
}
