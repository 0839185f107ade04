import type { Store } from '@switchyard/topic'
import type { Answer } from '@switchyard/wire/host-event'
import { isMarkedBound, markBound } from '../record/bound-mark.ts'
import type { Session } from '../state/event-schema.ts'

/** A session of which the bus knows nothing may stop. Where it had a loop, the bus was removed: that is said, once. */
export function lostLoop(store: Store, session: Session): Answer {
  if (!isMarkedBound(store, session)) return { do: 'allow' }
  return lose(store, session)
}

/** The bus was removed, and the loop of a session with it. */
export function lose(store: Store, session: Session): Answer {
  markBound(store, session, false)
  return {
    do: 'allow',
    warning: `loop: the bus ${store.path} was removed; the loop of this session is over; loop doctor --fix gives back what it held`,
  }
}
