// Terminals on the server of a store in which no session works any more.

import type { Store } from '@switchyard/topic'
import { isAtRest } from '../session/fold-session.ts'
import { readSession } from '../session/read-session.ts'
import { isSessionId } from '../session/session-id.ts'
import { hasTmux, type TmuxPlace, tmux, tmuxSays } from './tmux.ts'

type Where = Omit<TmuxPlace, 'store'> & { readonly store: Store }

/** Their names. Empty where tmux, or the server, is not there. */
export async function leftTerminals(place: Where): Promise<string[]> {
  if (!hasTmux(place) || !(await tmuxSays(place, ['has-session']))) return []
  const names = (await tmux(place, ['list-sessions', '-F', '#{session_name}'])).split('\n')
  return names.filter((name) => {
    const id = /^scope-(.+)$/.exec(name)?.[1]?.replaceAll('_', '.')
    if (id === undefined || !isSessionId(id)) return false
    const session = readSession(place.store, id)
    return session === undefined || isAtRest(session)
  })
}

/** Closes one of them; one that is gone is as wanted. */
export async function closeTerminal(place: TmuxPlace, name: string): Promise<void> {
  await tmuxSays(place, ['kill-session', '-t', `=${name}`])
}
